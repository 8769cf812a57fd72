//! The contract: filter specification, validated geometry, hash constants, register map.
