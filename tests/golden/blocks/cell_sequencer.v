// Says when the item stream is ready, and acts between two items: start, clear, access to the array.
// RUN; for a clear DRAIN (let every item retire, then force it), SETTLE (let it retire), RUN.
module cell_sequencer (
  input  wire clock,
  input  wire reset,          // start with empty cells
  input  wire valid,          // an item is offered
  input  wire clear_pending,  // a clear was written
  input  wire write_pending,  // a clear or an access was written
  input  wire blocked,        // there is no spare epoch
  input  wire credit,         // the verdict queue has room for what is in flight and more
  output wire ready,          // the item stream is ready
  output wire accept,         // an item is accepted
  output wire force_clear,    // issue a clear
  output wire access,         // issue an access
  output wire access_pending, // an access was written and is not done
  output wire finished,       // what is pending is done
  output wire running,        // state RUN
  output wire stall_control,  // not ready: clear, access or start
  output wire stall_verdict   // not ready: back-pressure of the verdict stream
);
  localparam [4:0] retire = 5'd19; // clocks until a slot issued now has left every trace

  reg       run_r;
  reg       settle_r;
  reg [4:0] waiting;
  reg       waited;    // waiting has come to 0; it counts on
  reg [4:0] away;
  reg       out;       // an access is on its way (away counts on)
  reg       returning; // this is its last clock
  reg       ready_r;
  reg       control_r;
  reg       verdict_r;

  wire asked;
  wire access_due;
  wire forcing;
  wire accessing;
  wire may_run;
  wire accepting;

  // state; comparisons with counters are made a clock ahead
  assign forcing = !run_r && !settle_r && waited && !blocked;
  assign force_clear = forcing && !reset;

  // access to the array: in a clock without an item
  assign asked = write_pending && !clear_pending;
  assign access_due = asked && !out;
  assign accessing = run_r && access_due && !ready_r && !reset;
  assign access = accessing;
  assign access_pending = asked;
  assign finished = returning || (settle_r && waited && clear_pending);

  // admission
  assign may_run = run_r && !clear_pending && !access_due;
  assign accepting = valid && ready_r;
  assign ready = ready_r;
  assign accept = accepting;
  assign running = run_r;
  assign stall_control = control_r;
  assign stall_verdict = verdict_r;

  initial begin
    run_r = 1'b0;
    settle_r = 1'b0;
    waiting = 5'd19;
    waited = 1'b0;
    away = 5'd0;
    out = 1'b0;
    returning = 1'b0;
    ready_r = 1'b0;
    control_r = 1'b0;
    verdict_r = 1'b0;
  end

  always @(posedge clock) begin
    waiting <= waiting - 5'd1;
    waited <= waited || (waiting == 5'd1);
    if (run_r) begin
      run_r <= !clear_pending;
      waiting <= retire;
      waited <= 1'b0;
    end else if (settle_r) begin
      settle_r <= !waited;
      run_r <= waited;
    end else if (forcing) begin
      settle_r <= 1'b1;
      waiting <= retire;
      waited <= 1'b0;
    end
    out <= accessing || (out && !returning);
    returning <= out && (away == 5'd2);
    away <= away - 5'd1;
    if (accessing) begin
      away <= retire;
    end
    ready_r <= may_run && credit && !reset;
    control_r <= !may_run && !reset;
    verdict_r <= may_run && !credit && !reset;
    if (reset) begin
      run_r <= 1'b0;
      settle_r <= 1'b0;
      waiting <= retire;
      waited <= 1'b0;
      out <= 1'b0;
      returning <= 1'b0;
    end
  end
endmodule
