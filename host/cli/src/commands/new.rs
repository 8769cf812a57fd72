use super::size::{name_of, write_new};
use crate::numbers;
use crate::output::{Ending, Output};
use bloomline_build::KnownBoard;
use bloomline_spec::{Part, WindowTable};
use bloomline_toolkit::sizing::{
    Amounts, CountMin, Counting, Form, Recycling, Sliding, Static, Wants,
};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Arguments of `new`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Name of the filter; the file is NAME.toml in this folder
    #[arg(value_name = "NAME")]
    name: String,
    /// What the filter remembers
    #[arg(long, value_enum)]
    kind: Kind,
    /// Keys to remember: recycling: new keys of a cycle; static, counting: insertions; count-min: sum of the amounts; sliding: the window
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    items: Option<u64>,
    /// Largest false-positive rate (count-min: probability of a larger error) [default: 1%; for static with a memory and items: any]
    #[arg(long, value_name = "P", value_parser = numbers::rate)]
    rate: Option<f64>,
    /// Most memory in bits, for recycling and static: solves for the items unless those are given
    #[arg(long, value_name = "BITS", value_parser = numbers::count)]
    memory: Option<u64>,
    /// Occurrences from which a counting filter reports a key [default: 5]
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    threshold: Option<u64>,
    /// Insertions over which a counting filter counts; without it, it counts since the last clear
    #[arg(long, value_name = "N", value_parser = numbers::count, conflicts_with = "items")]
    window: Option<u64>,
    /// Error of a Count-Min sketch, as a share of the sum of the amounts [default: 0.1%]
    #[arg(long, value_name = "EPS", value_parser = numbers::rate)]
    error: Option<f64>,
    /// Elements before the window that may be seen or not, for sliding [default: a quarter of the window]
    #[arg(long, value_name = "M", value_parser = numbers::count)]
    slack: Option<u64>,
    /// Width of a key
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u64).range(1..=512), default_value_t = 104)]
    key_bits: u64,
    /// Board that it is for, by its name or by the path of a board.toml of your own: adds its clock and its host link
    #[arg(long, value_name = "NAME")]
    board: Option<String>,
    /// Replace a file of that name
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// Recent keys, forgotten in cycles
    Recycling,
    /// A set of keys, until it is cleared
    Static,
    /// How often a key came
    Counting,
    /// How much a key brought, in bytes for example
    CountMin,
    /// The last elements, and perhaps a slack before them
    Sliding,
}

impl Kind {
    /// Options of `size` that this verb has under another name.
    fn options(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Kind::Recycling => &[],
            Kind::Static => &[("--bits", "--memory")],
            Kind::Counting => &[("--insertions", "--items")],
            Kind::CountMin => &[("--failure", "--rate"), ("--total", "--items")],
            Kind::Sliding => &[("--window", "--items")],
        }
    }
}

/// Items where none are asked for.
const ITEMS: u64 = 10_000;
/// Rate, threshold and error where none are asked for.
const RATE: f64 = 0.01;
const THRESHOLD: u64 = 5;
const ERROR: f64 = 0.001;

impl Cmd {
    /// Sizes the filter and writes its specification.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let stem = self.name.trim_end_matches(".toml");
        if stem.is_empty() || stem.ends_with('/') {
            anyhow::bail!("NAME {:?}: is empty; name the filter", self.name);
        }
        let file = PathBuf::from(format!("{stem}.toml"));
        let name = name_of(&file);
        let form = self.form(name.clone())?;
        self.memory_suffices(&form)?;
        let built = self.wants()?.built(&form).map_err(|error| {
            let mut text = error.to_string();
            for (of_size, own) in self.kind.options() {
                text = text.replace(of_size, own);
            }
            anyhow::anyhow!(text)
        })?;
        write_new(&file, built.specification(), self.force)?;
        for warning in built.filter().warnings() {
            note!("warning: {warning}");
        }
        output.result(
            &json!({ "file": file, "specification": built.specification() }),
            || next_steps(&file, &name, self.board.as_deref()),
        )?;
        Ok(Ending::Good)
    }

    /// A static filter that is given its memory and its items has the rate that comes of them; one that was asked for must be that or more.
    fn memory_suffices(&self, form: &Form) -> anyhow::Result<()> {
        let (Kind::Static, Some(memory), Some(items), Some(rate)) =
            (self.kind, self.memory, self.items, self.rate)
        else {
            return Ok(());
        };
        let wanted = Wants::Static(Static {
            bits: None,
            items: Some(items),
            rate: Some(rate),
            hashes: None,
            distinct: false,
        });
        let needed = wanted.built(form)?.filter().design().memory_bits();
        if needed > memory {
            anyhow::bail!(
                "--memory {memory}: {items} items at a rate of {} % take {needed} bits; give that, or leave out one of --memory, --items and --rate",
                100.0 * rate
            );
        }
        Ok(())
    }

    fn wants(&self) -> anyhow::Result<Wants> {
        let items = match (self.items, self.memory) {
            (Some(items), _) => Some(items),
            (None, Some(_)) => None,
            (None, None) => Some(ITEMS),
        };
        let of_others = [
            (
                "--threshold",
                self.threshold.is_some(),
                Kind::Counting,
                "counting",
            ),
            (
                "--window",
                self.window.is_some(),
                Kind::Counting,
                "counting",
            ),
            ("--error", self.error.is_some(), Kind::CountMin, "count-min"),
            ("--slack", self.slack.is_some(), Kind::Sliding, "sliding"),
        ];
        for (option, given, kind, word) in of_others {
            if given && self.kind != kind {
                let also = match option {
                    "--window" => "; a sliding-window filter takes its window as --items",
                    _ => "",
                };
                anyhow::bail!("{option}: belongs to --kind {word}{also}; leave it out");
            }
        }
        let of_kind = matches!(self.kind, Kind::Recycling | Kind::Static);
        if self.memory.is_some() && !of_kind {
            anyhow::bail!("--memory: sizes recycling and static filters; give --items and --rate");
        }
        let rate = self.rate.unwrap_or(RATE);
        Ok(match self.kind {
            Kind::Recycling => Wants::Recycling(Recycling {
                memory: self.memory,
                rate: Some(rate),
                messages: items.map(|items| items as f64),
                hashes: None,
                phases: Some(2),
                threshold: None,
                on_messages: false,
                independent: false,
                forget_tripping: false,
                powers_of_two: true,
                false_negatives: None,
            }),
            Kind::Static => Wants::Static(Static {
                bits: self.memory,
                items,
                rate: (self.memory.is_none() || items.is_none()).then_some(rate),
                hashes: None,
                distinct: false,
            }),
            Kind::Counting => Wants::Counting(Counting {
                insertions: self.window.or(items).unwrap_or(ITEMS),
                window: self.window.is_some(),
                threshold: self.threshold.unwrap_or(THRESHOLD),
                counters: None,
                rate: Some(rate),
                hashes: None,
                true_count: 0,
            }),
            Kind::CountMin => Wants::CountMin(
                CountMin {
                    error: self.error.unwrap_or(ERROR),
                    failure: rate,
                    copies: None,
                },
                Amounts {
                    total: self.items.unwrap_or(Amounts::default().total),
                    ..Amounts::default()
                },
            ),
            Kind::Sliding => {
                let window = items.unwrap_or(ITEMS);
                Wants::Sliding(Sliding {
                    window,
                    slack: Some(self.slack.unwrap_or((window / 4).max(1))),
                    rate,
                    generations: None,
                    table: WindowTable::Buckets,
                })
            }
        })
    }

    /// Key, clock and host link: those of the board, if there is one.
    fn form(&self, name: String) -> anyhow::Result<Form> {
        let form = Form {
            name,
            key: format!("bits = {}", self.key_bits),
            ..Form::default()
        };
        // Whoever sends frames chooses the keys.
        let (hash, trusted) = match self.kind {
            Kind::Sliding => (
                "",
                "trusted_keys = true # this kind has no keyed hash: whoever sends frames can compute keys that are seen\n",
            ),
            _ => (
                "[hash]\nfamily = \"siphash\" # keyed: load a secret with `bloomline device URL rekey` at each start\n",
                "",
            ),
        };
        let board = self.board.as_deref().map(KnownBoard::load).transpose()?;
        Ok(match board {
            None => form,
            Some(KnownBoard::Fpga(board)) => Form {
                tables: format!(
                    "[target]\nclock_hz = {}\n{}[card]\nuart_baud = {}\n",
                    board.card.clock_hz,
                    part(Some(&board.part.name)),
                    board.card.uart_baud
                ),
                ..form
            },
            Some(KnownBoard::OpenNic(board)) => Form {
                key: "source = \"ipv4-5tuple\"".to_owned(),
                tables: format!(
                    "{hash}[target]\nclock_hz = {}\n{}[card]\n[packet]\ndata_bits = 512\n{trusted}",
                    board.card.clock_hz,
                    part(board.part.first().map(|part| part.name.as_str())),
                ),
                ..form
            },
        })
    }
}

/// The line of a board's part, if its block RAM is known.
fn part(name: Option<&str>) -> String {
    let known = name.filter(|name| Part::named(name).is_some());
    known.map_or_else(String::new, |name| format!("part = {name:?}\n"))
}

/// A path as it is typed in a shell.
fn typed(file: &Path) -> String {
    let text = file.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-".contains(c);
    match text.chars().all(plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

fn next_steps(file: &Path, name: &str, board: Option<&str>) -> String {
    let file = typed(file);
    let mut text = format!(
        "Written: {file}\n\nNext:\n  bloomline plan {file}\n  bloomline verify {file} --report out/{name}\n  \
         bloomline emit {file} --out out/{name}/gateware\n"
    );
    if let Some(board) = board {
        text += &format!("  bloomline build {file} --board {board}\n");
    }
    text
}
