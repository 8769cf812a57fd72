use crate::array::ArrayShape;
use crate::common::Common;
use crate::error::SpecError;
use crate::host_port::HostBinding;
use crate::kinds::cells::CellGeometry;
use crate::kinds::cuckoo::CuckooGeometry;
use crate::kinds::recycling::{RecyclingGeometry, Sizing, ThresholdSetting};
use crate::kinds::sliding::SlidingGeometry;
use crate::kinds::Kind;
use crate::packet::LANES;
use crate::registers::RegisterMap;
use crate::rules::Rules;
use crate::specification::FilterSpec;
use crate::timing::PipelineTiming;
use crate::values::{Erase, FilterKind, WindowTable};
use std::ops::Deref;

/// A filter of any kind, validated and complete: nothing after this checks it again.
///
/// [`FilterSpec::design`] makes it. It dereferences to [`Common`], what every kind has; the functions here give what every kind has in
/// its own way. What only one kind has stands at its geometry: [`Design::recycling`], [`Design::cells`], [`Design::sliding`].
///
/// Crates that do something in another way for each kind write a trait, implement it for each geometry in `kinds/<kind>.rs`, and choose
/// with [`by_kind!`](crate::by_kind).
///
/// ```
/// use bloomline_spec::{FilterKind, FilterSpec, SLIDING_EXAMPLES};
/// use std::path::Path;
///
/// let (file, text) = SLIDING_EXAMPLES[0];
/// let design = FilterSpec::from_toml(text, Path::new(file))?.design()?;
/// assert_eq!(design.kind(), FilterKind::Sliding);
/// assert_eq!(design.name(), "window");
/// assert!(design.register_map().register("filter", "STATUS").is_some());
/// # Ok::<(), bloomline_spec::SpecError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Design {
    /// `recycling`.
    Recycling(RecyclingGeometry),
    /// `static`, `counting`, `count-min`.
    Cells(CellGeometry),
    /// `sliding` on tables of buckets.
    Sliding(SlidingGeometry),
    /// `sliding` on cuckoo tables.
    Cuckoo(CuckooGeometry),
}

/// One expression for the geometry of a [`Design`](crate::Design), whatever its kind: the only place that lists the kinds.
///
/// ```
/// use bloomline_spec::{by_kind, CellGeometry, CuckooGeometry, Design, RecyclingGeometry, SlidingGeometry};
///
/// trait Painted {
///     fn colour(&self) -> &'static str;
/// }
/// impl Painted for RecyclingGeometry {
///     fn colour(&self) -> &'static str { "green" }
/// }
/// impl Painted for CellGeometry {
///     fn colour(&self) -> &'static str { "blue" }
/// }
/// impl Painted for SlidingGeometry {
///     fn colour(&self) -> &'static str { "red" }
/// }
/// impl Painted for CuckooGeometry {
///     fn colour(&self) -> &'static str { "yellow" }
/// }
/// fn painted(design: &Design) -> &dyn Painted {
///     by_kind!(design, geometry => geometry)
/// }
/// # let design = bloomline_spec::FilterSpec::from_toml(bloomline_spec::CELL_EXAMPLES[0].1, std::path::Path::new("a"))?.design()?;
/// # assert_eq!(painted(&design).colour(), "blue");
/// # Ok::<(), bloomline_spec::SpecError>(())
/// ```
#[macro_export]
macro_rules! by_kind {
    ($design:expr, $geometry:pat => $body:expr) => {
        match $design {
            $crate::Design::Recycling($geometry) => $body,
            $crate::Design::Cells($geometry) => $body,
            $crate::Design::Sliding($geometry) => $body,
            $crate::Design::Cuckoo($geometry) => $body,
        }
    };
}

macro_rules! from_geometry {
    ($($variant:ident($geometry:ident)),+) => {
        $(impl From<$geometry> for Design {
            fn from(geometry: $geometry) -> Design {
                Design::$variant(geometry)
            }
        }

        impl From<&$geometry> for Design {
            fn from(geometry: &$geometry) -> Design {
                Design::$variant(geometry.clone())
            }
        })+
    };
}

from_geometry!(
    Recycling(RecyclingGeometry),
    Cells(CellGeometry),
    Sliding(SlidingGeometry),
    Cuckoo(CuckooGeometry)
);

impl From<&Design> for Design {
    fn from(design: &Design) -> Design {
        design.clone()
    }
}

impl Deref for Design {
    type Target = Common;

    fn deref(&self) -> &Common {
        self.common()
    }
}

impl FilterSpec {
    /// Checks every rule of the kind, expands the hash constants, and completes the design.
    ///
    /// # Errors
    /// [`SpecError::Auto`] where the specification leaves the threshold to theory, which this crate does not know
    /// ([`FilterSpec::design_with`] takes the solution); as [`FilterSpec::validate`], for the rules of each kind.
    pub fn design(&self) -> Result<Design, SpecError> {
        self.design_with(|_, _| {
            Err(SpecError::Auto {
                file: self.file.clone(),
            })
        })
    }

    /// The same; where the specification leaves a threshold open, `solve` gives it, from the rest and the average false-positive rate
    /// that is asked for.
    ///
    /// # Errors
    /// Those of `solve`; as [`FilterSpec::design`].
    pub fn design_with<E: From<SpecError>>(
        &self,
        solve: impl FnOnce(&Sizing, f64) -> Result<u64, E>,
    ) -> Result<Design, E> {
        let design: Design = match self.filter.kind {
            FilterKind::Recycling => {
                let sizing = self.validate()?;
                let threshold = match sizing.threshold_setting() {
                    ThresholdSetting::Fixed(threshold) => threshold,
                    ThresholdSetting::Auto { target_fpr } => solve(&sizing, target_fpr)?,
                };
                sizing.with_threshold(threshold)?.into()
            }
            FilterKind::Static | FilterKind::Counting | FilterKind::CountMin => {
                self.cells()?.into()
            }
            FilterKind::Sliding => match self.window_table() {
                WindowTable::Buckets => self.sliding()?.into(),
                WindowTable::Cuckoo => self.cuckoo()?.into(),
            },
        };
        Rules::new(&self.file).name_beside_ports(&design)?;
        Ok(design)
    }
}

impl RegisterMap {
    /// The register map of a design, or of a geometry of any kind.
    pub fn of(design: impl Into<Design>) -> RegisterMap {
        design.into().register_map()
    }
}

impl Design {
    fn of_kind(&self) -> &dyn Kind {
        by_kind!(self, geometry => geometry)
    }

    /// What every kind has.
    pub fn common(&self) -> &Common {
        self.of_kind().common()
    }

    /// The same device with its registers on AXI4-Lite pins in place of its UART, for a simulation that has no use for the UART's time; every register, the geometry
    /// hash among them, is the device's. `None` for a line card, whose pins are those of its board.
    pub fn on_a_bus(&self) -> Option<Design> {
        if self.line_card().is_some() {
            return None;
        }
        let mut design = self.clone();
        let common = by_kind!(&mut design, geometry => Kind::common_mut(geometry));
        if let Some(card) = &mut common.card {
            card.uart = None;
        }
        Some(design)
    }

    /// The kind of filter.
    pub fn kind(&self) -> FilterKind {
        self.of_kind().kind()
    }

    /// First eight bytes of the SHA-256 of everything that changes the gateware: a host refuses a device whose geometry hash differs.
    pub fn geometry_hash(&self) -> u64 {
        self.of_kind().geometry_hash()
    }

    /// The registers, those of card, packet path and line card among them.
    pub fn register_map(&self) -> RegisterMap {
        let mut map = self.inner_register_map();
        if !self.has_registers() {
            map.blocks.clear();
        }
        map
    }

    /// The registers that the pipeline is built around, also where no host reaches them: their values after reset are then in force for ever.
    pub fn inner_register_map(&self) -> RegisterMap {
        self.of_kind().register_map()
    }

    /// The filter's own counters by rising address: the name without `_LO` and `_HI`, and the byte address of the low half.
    pub fn filter_counters(&self) -> Vec<(&'static str, u32)> {
        self.of_kind().counters()
    }

    /// When things happen in the pipeline, as far as it is asked of every kind.
    pub fn timing(&self) -> PipelineTiming {
        self.of_kind().timing()
    }

    /// Data bits.
    pub fn memory_bits(&self) -> u64 {
        self.of_kind().memory_bits()
    }

    /// Bits of memory: data, and what is stored beside them (epochs, parity).
    pub fn stored_bits(&self) -> u64 {
        self.of_kind().stored_bits()
    }

    /// Words of one of its memories: of a bank (of a half), or the buckets of the front table.
    pub fn words_per_memory(&self) -> u64 {
        self.of_kind().words_per_memory()
    }

    /// How the array is made up, for the filters whose array can be read: all but `sliding`, and those that leave out `features.array_access`.
    pub fn array(&self) -> Option<ArrayShape> {
        self.of_kind().array()
    }

    /// Threshold as of reset, in the register's unit, and 1 for a static filter, which has no such register; `None` where the kind has no
    /// threshold.
    pub fn threshold(&self) -> Option<u64> {
        self.of_kind().threshold()
    }

    /// Least and greatest threshold that the specification would take, in the register's unit; `None` where the kind has no
    /// threshold.
    pub fn thresholds(&self) -> Option<(u64, u64)> {
        self.of_kind().thresholds()
    }

    /// False-positive rate that the specification aims at, if its kind has one and it says it.
    pub fn target_fpr(&self) -> Option<f64> {
        self.of_kind().target_fpr()
    }

    /// What the bits of `s_item_tuser` mean.
    pub(crate) fn operation_doc(&self) -> &'static str {
        self.of_kind().operation_doc()
    }

    /// What the bits of `m_verdict_tdata` mean.
    pub(crate) fn verdict_doc(&self) -> &'static str {
        self.of_kind().verdict_doc()
    }

    /// The geometry of a recycling filter.
    pub fn recycling(&self) -> Option<&RecyclingGeometry> {
        match self {
            Design::Recycling(geometry) => Some(geometry),
            _ => None,
        }
    }

    /// The geometry of a filter of cells: static, counting, Count-Min.
    pub fn cells(&self) -> Option<&CellGeometry> {
        match self {
            Design::Cells(geometry) => Some(geometry),
            _ => None,
        }
    }

    /// How memory is emptied; nothing for a sliding window, whose elements grow old.
    pub fn erase(&self) -> Option<Erase> {
        match self {
            Design::Recycling(geometry) => Some(geometry.erase()),
            Design::Cells(geometry) => Some(geometry.erase()),
            Design::Sliding(_) | Design::Cuckoo(_) => None,
        }
    }

    /// The geometry of a sliding-window filter on cuckoo tables.
    pub fn cuckoo(&self) -> Option<&CuckooGeometry> {
        match self {
            Design::Cuckoo(geometry) => Some(geometry),
            _ => None,
        }
    }

    /// The geometry of a sliding-window filter on tables of buckets.
    pub fn sliding(&self) -> Option<&SlidingGeometry> {
        match self {
            Design::Sliding(geometry) => Some(geometry),
            _ => None,
        }
    }

    /// Whether there is an item port, for the host's own items.
    pub fn has_item_port(&self) -> bool {
        self.card().is_some()
    }

    /// Whether its hash has a secret that the host can replace.
    pub fn is_keyed(&self) -> bool {
        self.hash().secret.is_some()
    }

    /// Packet paths: 0, 1 between two streams of frames, 2 on a line card (its lanes).
    pub fn lanes(&self) -> usize {
        match self.packet() {
            Some(_) => self.ports().max(1),
            None => 0,
        }
    }

    /// Ethernet ports: 0, or 2 on a line card.
    pub fn ports(&self) -> usize {
        self.line_card().map_or(0, |_| LANES)
    }

    /// Where the registers of a line card are reached over Ethernet, and who it is there; `None` without a host port.
    pub fn host(&self) -> Option<HostBinding> {
        self.line_card()?.host()
    }
}
