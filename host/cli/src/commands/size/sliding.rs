use crate::numbers;
use bloomline_spec::WindowTable;
use bloomline_toolkit::sizing::{self, Wants};

/// Arguments of `size sliding`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Elements n that always answer yes: the last ones
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    window: u64,
    /// Elements m before the window that may answer either way [default: no limit]
    #[arg(long, value_name = "M", value_parser = numbers::count)]
    slack: Option<u64>,
    /// Largest rate eps of a yes for any other element
    #[arg(long, value_name = "EPS", value_parser = numbers::rate)]
    rate: f64,
    /// Generations c that make up a window [default: those with the fewest bits]
    #[arg(long, value_name = "C", value_parser = numbers::count)]
    generations: Option<u64>,
    /// How the elements are stored: buckets, or cuckoo in half the memory
    #[arg(long, value_enum, default_value_t = Table::Buckets)]
    table: Table,
}

/// How the elements are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Table {
    /// Two tables of buckets and a store behind them
    Buckets,
    /// Four cuckoo tables and a stash beside them
    Cuckoo,
}

impl From<Table> for WindowTable {
    fn from(table: Table) -> WindowTable {
        match table {
            Table::Buckets => WindowTable::Buckets,
            Table::Cuckoo => WindowTable::Cuckoo,
        }
    }
}

impl Cmd {
    /// What is wanted.
    pub fn wants(self) -> anyhow::Result<Wants> {
        let Cmd {
            window,
            slack,
            rate,
            generations,
            table,
        } = self;
        Ok(Wants::Sliding(sizing::Sliding {
            window,
            slack,
            rate,
            generations,
            table: table.into(),
        }))
    }
}
