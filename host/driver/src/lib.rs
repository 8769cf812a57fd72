//! Host access to a filter: transports and the register-level device.
