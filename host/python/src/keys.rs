use crate::error::{raise, ArgumentError};
use bloomline_spec::{Key, KeyError};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// What stands in the place of a key.
pub enum Keys {
    /// An integer, or bytes.
    One(Key),
    /// An array.
    Many(Vec<Key>),
}

impl Keys {
    /// The keys, one or many.
    pub fn as_slice(&self) -> &[Key] {
        match self {
            Keys::One(key) => std::slice::from_ref(key),
            Keys::Many(keys) => keys,
        }
    }
}

/// The keys of `bits` bits that `value` stands for: an integer, bytes (the lowest first), an array of uint64, or one of uint8 of
/// shape (n, bytes).
pub fn read(value: &Bound<'_, PyAny>, bits: u32) -> PyResult<Keys> {
    if let Some(keys) = many(value, bits)? {
        return Ok(Keys::Many(keys));
    }
    let bytes = match value.cast::<PyBytes>() {
        Ok(bytes) => bytes.as_bytes().to_vec(),
        Err(_) => integer_bytes(value)?,
    };
    if bytes.is_empty() {
        return Err(empty());
    }
    Key::from_bytes(&bytes, bits).map(Keys::One).map_err(raise)
}

/// The keys of an array; `None` where `value` is none.
pub fn many(value: &Bound<'_, PyAny>, bits: u32) -> PyResult<Option<Vec<Key>>> {
    let many = |keys: Result<Vec<Key>, KeyError>| keys.map(Some).map_err(raise);
    if let Ok(integers) = value.cast::<PyArray1<u64>>() {
        let integers = integers.try_readonly()?;
        let of = |(place, &integer): (usize, &u64)| {
            Key::from_integer(integer.into(), bits).map_err(|error| error.at(place))
        };
        return many(integers.as_array().iter().enumerate().map(of).collect());
    }
    if let Ok(rows) = value.cast::<PyArray2<u8>>() {
        let rows = rows.try_readonly()?;
        let rows = rows.as_array();
        if rows.ncols() == 0 {
            return Err(empty());
        }
        let of = |(place, row): (usize, numpy::ndarray::ArrayView1<'_, u8>)| {
            Key::from_bytes(&row.to_vec(), bits).map_err(|error| error.at(place))
        };
        return many(rows.rows().into_iter().enumerate().map(of).collect());
    }
    match value.cast::<PyUntypedArray>() {
        Ok(array) => Err(ArgumentError::new_err(format!(
            "keys: an array of {} and shape {:?}; give uint64 of shape (n,), or uint8 of shape (n, bytes), for example keys.astype(numpy.uint64)",
            array.dtype(),
            array.shape()
        ))),
        Err(_) => Ok(None),
    }
}

/// No bytes are no key: an empty field of a record would be key 0.
fn empty() -> PyErr {
    ArgumentError::new_err("key: no bytes; give at least one byte a key")
}

/// The bytes of anything that is an integer, the lowest first.
fn integer_bytes(value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let no_key = |_| {
        let what = value.get_type();
        ArgumentError::new_err(format!(
            "key = {value}, a {what}: give an integer from 0 on, bytes, or an array of uint64 or uint8"
        ))
    };
    let integer = value.call_method0("__index__").map_err(no_key)?;
    let bits: usize = integer.call_method0("bit_length")?.extract()?;
    let length = bits.div_ceil(8).max(1);
    let bytes = integer.call_method1("to_bytes", (length, "little"));
    bytes.map_err(no_key)?.extract()
}

/// An amount for each of `count` keys: one for all, or an array of uint32.
pub fn amounts(value: Option<&Bound<'_, PyAny>>, count: usize) -> PyResult<Vec<u32>> {
    let Some(value) = value else {
        return Ok(vec![1; count]);
    };
    if let Ok(array) = value.cast::<PyArray1<u32>>() {
        let array = array.try_readonly()?;
        let amounts: Vec<u32> = array.as_array().iter().copied().collect();
        return match amounts.len() == count {
            true => Ok(amounts),
            false => Err(ArgumentError::new_err(format!(
                "amounts: {} of them for {count} keys; give one for each, or one integer for all",
                amounts.len()
            ))),
        };
    }
    let one: u32 = value.extract().map_err(|_| {
        ArgumentError::new_err(format!(
            "amounts = {value}: give an integer of at most 32 bits, or an array of uint32"
        ))
    })?;
    Ok(vec![one; count])
}
