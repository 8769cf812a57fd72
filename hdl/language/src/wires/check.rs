//! rust-hdl's checks of a connected design.

use rust_hdl::check_connected::check_connected;
use rust_hdl::check_error::CheckError;
use rust_hdl::check_write_inputs::check_inputs_not_written;
use rust_hdl::prelude::Block;

/// Whether everything is driven, and no block writes its inputs. rust-hdl's third check, for what is read before it is assigned, looks at whole signals: the
/// back end judges that bit by bit, and refuses more, and in the simulator a real loop does not settle.
pub(crate) fn check(block: &dyn Block) -> Result<(), CheckError> {
    check_connected(block)?;
    check_inputs_not_written(block)
}
