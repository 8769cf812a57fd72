// Says when the item stream is ready, and acts between two items: start, clear, access to the array.
// RUN; for a clear DRAIN (let every item retire, then force it), SETTLE (let it retire), RUN.
module cell_sequencer (
  input  wire clock,
  input  wire reset,          // start with empty cells
  input  wire valid,          // an item is offered
  input  wire inserting_0,    // it inserts
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
  output wire probing_0,      // issue the next probe of the item accepted last
  output wire last_0,         // it is its last one
  output wire raising_0,      // issue its next probe that raises
  output wire stall_control,  // not ready: clear, access or start
  output wire stall_verdict   // not ready: back-pressure of the verdict stream
);
  localparam [4:0] retire         = 5'd28; // clocks until a slot issued now has left every trace
  localparam [1:0] probes_behind  = 2'd3;  // probes of an item behind its first
  localparam       several_behind = 1'b1;  // they are two or more

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
  reg [1:0] fold_0;    // probes to come of the item accepted last
  reg       folding_0; // there is one (fold counts on)
  reg       more_0;    // there are two or more

  wire asked;
  wire access_due;
  wire forcing;
  reg  accessing;
  wire may_run;
  wire accepting;
  wire timer_0_start;
  wire timer_0_raising;
  wire timer_0_busy;
  wire timer_0_more;

  // one that inserts also those of its raises, and of what they wait for
  raise_timer timer_0 (
    .clock   (clock),
    .reset   (reset),
    .start   (timer_0_start),
    .raising (timer_0_raising),
    .busy    (timer_0_busy),
    .more    (timer_0_more)
  );

  // state; comparisons with counters are made a clock ahead
  assign forcing = !run_r && !settle_r && waited && !blocked;
  assign force_clear = forcing && !reset;

  // access to the array: in a clock without an item
  assign asked = write_pending && !clear_pending;
  assign access_due = asked && !out;
  assign access = accessing;
  assign access_pending = asked;
  assign finished = returning || (settle_r && waited && clear_pending);

  // admission
  assign may_run = run_r && !clear_pending && !access_due;
  assign accepting = valid && ready_r;
  assign probing_0 = folding_0;
  assign last_0 = folding_0 && !more_0;
  assign timer_0_start = accepting && inserting_0;
  assign raising_0 = timer_0_raising;
  assign ready = ready_r;
  assign accept = accepting;
  assign running = run_r;
  assign stall_control = control_r;
  assign stall_verdict = verdict_r;

  initial begin
    run_r = 1'b0;
    settle_r = 1'b0;
    waiting = 5'd28;
    waited = 1'b0;
    away = 5'd0;
    out = 1'b0;
    returning = 1'b0;
    ready_r = 1'b0;
    control_r = 1'b0;
    verdict_r = 1'b0;
    fold_0 = 2'd0;
    folding_0 = 1'b0;
    more_0 = 1'b0;
  end

  always @* begin
    accessing = run_r && access_due && !ready_r && !reset;
    accessing = accessing && !folding_0;
    accessing = accessing && !timer_0_busy;
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

    // an item takes the clocks of its probes
    fold_0 <= fold_0 - 2'd1;
    folding_0 <= more_0;
    more_0 <= more_0 && (fold_0 != 2'd2);
    if (accepting) begin
      fold_0 <= probes_behind;
      folding_0 <= 1'b1;
      more_0 <= several_behind;
    end
    if (accepting || more_0) begin
      ready_r <= 1'b0;
      verdict_r <= 1'b0;
    end
    if (reset) begin
      folding_0 <= 1'b0;
      more_0 <= 1'b0;
    end
    if (timer_0_more) begin
      ready_r <= 1'b0;
      verdict_r <= 1'b0;
    end
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
