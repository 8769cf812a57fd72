// Says when the item stream is ready, when the scan goes on, and acts between two items: start and clear.
// RUN; for a clear DRAIN (let every item retire), WIPE (make every cell stale), RUN.
module sliding_sequencer (
  input  wire       clock,
  input  wire       reset,         // start with stale cells
  input  wire       valid,         // an item is offered
  input  wire [1:0] operation,     // 0 query, 1 insert, 2 and 3 test-and-insert
  input  wire       clear_pending, // a clear was written
  input  wire       credit,        // the verdict queue has room for what is in flight and more
  output wire       ready,         // the item stream is ready
  output wire       accept,        // an item is accepted
  output wire       scan,          // issue a scan
  output wire       wipe,          // issue a wipe
  output reg        restart,       // elements count from 0: nothing is in flight
  output wire       finished,      // the clear is done
  output wire       running,       // state RUN
  output wire       stall_scan,    // not ready: the scan must go on
  output wire       stall_control, // not ready: clear or start
  output wire       stall_verdict  // not ready: back-pressure of the verdict stream
);
  localparam [4:0]  retire     = 5'd18; // clocks until a slot issued now has left every trace
  localparam [3:0]  no_gap     = 4'd0;
  localparam [3:0]  last_gap   = 4'd10; // one element short of the interval
  localparam [11:0] none_wiped = 12'd0;

  reg        run_r;
  reg        wipe_r;
  reg [4:0]  waiting;
  reg        waited;    // waiting has come to 0; it counts on
  reg [11:0] wiped;
  reg [3:0]  gap;       // elements since the last scan
  reg        ready_r;
  reg        scan_r;
  reg        control_r;
  reg        verdict_r;

  wire accepted;
  wire element;
  wire due;
  wire scanning;
  wire last_wipe;
  wire may_run;

  assign accepted = valid && ready_r;
  assign element = accepted && (operation != 2'd0);

  // state; the wait is compared a clock ahead
  assign last_wipe = wipe_r && (&wiped);
  assign wipe = wipe_r && !reset;
  assign finished = last_wipe;

  // the scan goes on in every clock without an item
  assign scanning = run_r && !accepted;
  assign scan = scanning && !reset;
  assign due = element && (gap == last_gap);

  // admission
  assign may_run = run_r && !clear_pending;
  assign ready = ready_r;
  assign accept = accepted;
  assign running = run_r;
  assign stall_scan = scan_r;
  assign stall_control = control_r;
  assign stall_verdict = verdict_r;

  initial begin
    run_r = 1'b0;
    wipe_r = 1'b0;
    waiting = 5'd18;
    waited = 1'b0;
    wiped = 12'd0;
    gap = 4'd0;
    ready_r = 1'b0;
    scan_r = 1'b0;
    control_r = 1'b0;
    verdict_r = 1'b0;
  end

  always @* begin
    restart = 1'b0;
    if (!run_r) begin
      if (!wipe_r) begin
        if (waited) begin
          restart = 1'b1;
        end
      end
    end
  end

  always @(posedge clock) begin
    waiting <= waiting - 5'd1;
    waited <= waited || (waiting == 5'd1);
    wiped <= none_wiped;
    if (run_r) begin
      run_r <= !clear_pending;
      waiting <= retire;
      waited <= 1'b0;
    end else if (wipe_r) begin
      wiped <= wiped + 12'd1;
      wipe_r <= !last_wipe;
      run_r <= last_wipe;
    end else if (waited) begin
      wipe_r <= 1'b1;
    end
    if (scanning || !run_r) begin
      gap <= no_gap;
    end else if (element) begin
      gap <= gap + 4'd1;
    end
    ready_r <= may_run && !due && credit && !reset;
    control_r <= !may_run && !reset;
    scan_r <= may_run && due && !reset;
    verdict_r <= may_run && !due && !credit && !reset;
    if (reset) begin
      run_r <= 1'b0;
      wipe_r <= 1'b0;
      waiting <= retire;
      waited <= 1'b0;
      wiped <= none_wiped;
      gap <= no_gap;
    end
  end
endmodule
