use bloomline_spec::SpecError;
use bloomline_stimulus::StimulusError;
use bloomline_theory::TheoryError;

/// Why no sizes can be given. Options that are named are those of `bloomline size`; `new` asks for sizes too, and has others.
#[derive(Debug, thiserror::Error)]
pub enum SizeError {
    /// Theory does not cover it, or nothing meets it.
    #[error(transparent)]
    Theory(#[from] TheoryError),
    /// A recorded stream cannot be read.
    #[error(transparent)]
    Stimulus(#[from] StimulusError),
    /// A static filter needs two numbers of three.
    #[error("size static: two of --bits, --items and --rate are needed; the third is solved for")]
    TwoOfThree,
    /// Hashes are solved for where a rate is.
    #[error(
        "--hashes: goes with --bits and --items; with --rate the best number of hashes is taken"
    )]
    HashesBesideRate,
    /// A counting filter needs its counters or a rate.
    #[error("size counting: --counters or --rate is needed")]
    CountersOrRate,
    /// A number that is wanted lies outside its range.
    #[error("{name} = {value}: must be {must}")]
    Range {
        /// Its name, as the field has it.
        name: &'static str,
        /// The number.
        value: String,
        /// What it must be.
        must: &'static str,
    },
    /// No filter of a size that is tried meets the rate.
    #[error("--rate {rate}: no filter of at most {counters} counters reaches it")]
    NoFilter {
        /// The rate.
        rate: f64,
        /// Most counters that were tried.
        counters: u64,
        /// Why theory went no further, where it did not.
        source: Option<Box<SizeError>>,
    },
    /// No filter that can be built meets it.
    #[error("{wants}: no filter of at most 2^32 bits and 16 hashes that can be built meets this; {next_step}")]
    NotBuildable {
        /// The options that ask for it, with their values.
        wants: String,
        /// What may do.
        next_step: String,
    },
    /// The gateware does not take what an option asks for.
    #[error("{option} {value}: {rule}; {advice}")]
    Option {
        /// The option.
        option: &'static str,
        /// Its value.
        value: String,
        /// The rule that it breaks.
        rule: String,
        /// What may do.
        advice: String,
    },
    /// A given memory is too small for the partitions that can be built.
    #[error("--memory {memory}: a partition that can be built has at least 128 bits; give more memory or fewer hashes, or see the papers' number with `bloomline size recycling ... --theory`")]
    SmallMemory {
        /// Bits that were given.
        memory: u64,
    },
    /// More hashes than can be built.
    #[error("--hashes {hashes}: at most 16 hashes are sized for; give fewer, or see the papers' number with `bloomline size ... --theory`")]
    TooManyHashes {
        /// The number.
        hashes: u64,
    },
    /// A recycling filter has more bits than can be built.
    #[error("{wants}: {why} (at most 4294967295 bits a half); {next_step}, or see the papers' number with `bloomline size recycling ... --theory`")]
    LargeHalf {
        /// What was asked for.
        wants: String,
        /// What is too large.
        why: &'static str,
        /// What may do.
        next_step: String,
    },
    /// The floor that two hash functions put under the rate is too large a part of it.
    #[error("two hash functions add {percent:.1}% of the rate {rate:e}, of which at most 10% is taken; give more memory, or take independent functions (`bloomline size recycling ... --independent`)")]
    TwoHashFloor {
        /// The rate, with what two hash functions add.
        rate: f64,
        /// What they add, as a percentage of it.
        percent: f64,
    },
    /// The sizes that were found make no specification.
    #[error(
        "{0}\nother wants may do; `bloomline size` with --theory prints the papers' number alone"
    )]
    Planned(Box<crate::Error>),
    /// What was wanted is outside what a specification may say.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

impl SizeError {
    /// That no filter that can be built meets the options that are given; each with what may be asked for instead, if anything.
    pub(super) fn not_buildable(
        given: &[(&str, Option<String>, Option<&str>)],
        theory: Option<&str>,
    ) -> SizeError {
        let given = given.iter().filter_map(|(option, value, step)| {
            let value = value.as_ref()?;
            Some((format!("{option} {value}"), *step))
        });
        let (wants, steps): (Vec<String>, Vec<Option<&str>>) = given.unzip();
        let mut steps: Vec<String> = steps.into_iter().flatten().map(str::to_owned).collect();
        steps.extend(theory.map(|kind| {
            format!("see the papers' number with `bloomline size {kind} ... --theory`")
        }));
        SizeError::NotBuildable {
            wants: wants.join(" "),
            next_step: steps.join(", or "),
        }
    }

    /// The same, with the option that asks for a value in the place of its key in the specification.
    pub(super) fn naming(self, options: &[(&'static str, &'static str)]) -> SizeError {
        let spec = match &self {
            SizeError::Spec(error) => error,
            SizeError::Planned(error) => match &**error {
                crate::Error::Spec(error) => error,
                _ => return self,
            },
            _ => return self,
        };
        let SpecError::Rule {
            key,
            value,
            rule,
            advice,
            ..
        } = spec
        else {
            return self;
        };
        let Some((_, option)) = options.iter().find(|(name, _)| name == key) else {
            return self;
        };
        // TOML has no exponents where the rule shows a rate
        let value = match (value.contains('.'), value.parse::<f64>()) {
            (true, Ok(number)) => format!("{number:?}"),
            _ => value.clone(),
        };
        let by_option = |text: &str| {
            let mut text = text.to_owned();
            for (name, option) in options {
                text = text.replace(name, option);
            }
            text
        };
        SizeError::Option {
            option,
            value,
            rule: by_option(rule),
            advice: by_option(advice),
        }
    }

    /// That `value`, wanted as `name`, is not what it `must` be.
    pub(super) fn unless(
        holds: bool,
        name: &'static str,
        value: impl std::fmt::Debug,
        must: &'static str,
    ) -> Result<(), SizeError> {
        match holds {
            true => Ok(()),
            false => Err(SizeError::Range {
                name,
                value: format!("{value:?}"),
                must,
            }),
        }
    }

    /// That a share, wanted as `name`, is not between 0 and 1.
    pub(super) fn unless_share(name: &'static str, share: Option<f64>) -> Result<(), SizeError> {
        let Some(share) = share else { return Ok(()) };
        SizeError::unless(
            share > 0.0 && share < 1.0,
            name,
            share,
            "above 0 and below 1",
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::sizing::{Amounts, CountMin, Counting, Form, Recycling, Sliding, Static, Wants};

    fn recycling(rate: f64, messages: f64) -> Wants {
        Wants::Recycling(Recycling {
            memory: None,
            rate: Some(rate),
            messages: Some(messages),
            hashes: None,
            phases: None,
            threshold: None,
            on_messages: false,
            independent: false,
            forget_tripping: false,
            powers_of_two: false,
            false_negatives: None,
        })
    }

    fn members(rate: f64) -> Static {
        Static {
            bits: None,
            items: Some(1000),
            rate: Some(rate),
            hashes: None,
            distinct: false,
        }
    }

    fn sketch(error: f64, failure: f64, amounts: Amounts) -> Wants {
        let wants = CountMin {
            error,
            failure,
            copies: None,
        };
        Wants::CountMin(wants, amounts)
    }

    #[test]
    fn a_number_that_cannot_be_is_told_by_the_name_it_was_wanted_by() {
        let usual = Amounts::default;
        let counting = |threshold, rate| {
            Wants::Counting(Counting {
                insertions: 1000,
                window: false,
                threshold,
                counters: None,
                rate: Some(rate),
                hashes: None,
                true_count: 0,
            })
        };
        let sliding = |rate| {
            Wants::Sliding(Sliding {
                window: 1000,
                slack: None,
                rate,
                generations: None,
                table: Default::default(),
            })
        };
        let share = "above 0 and below 1";
        let counted = "from 1 to 65535, since a counter has at most 16 bits";
        for (wants, name, must) in [
            (recycling(0.01, f64::NAN), "messages = NaN", "1 or more"),
            (recycling(f64::INFINITY, 500.0), "rate = inf", share),
            (Wants::Static(members(1e300)), "rate = 1e300", share),
            (counting(3, 0.0), "rate = 0.0", share),
            (counting(1 << 16, 0.01), "threshold = 65536", counted),
            (counting(0, 0.01), "threshold = 0", counted),
            (sketch(1.5, 0.01, usual()), "error = 1.5", share),
            (sketch(0.01, -1.0, usual()), "failure = -1.0", share),
            (sliding(f64::NAN), "rate = NaN", share),
            (
                sketch(
                    0.01,
                    0.01,
                    Amounts {
                        counter_bits: 0,
                        ..usual()
                    },
                ),
                "counter_bits = 0",
                "from 8 to 32",
            ),
            (
                sketch(
                    0.01,
                    0.01,
                    Amounts {
                        amount_bits: Some(u64::MAX),
                        ..usual()
                    },
                ),
                "amount_bits = 18446744073709551615",
                "from 1 to 32",
            ),
            (
                sketch(
                    0.01,
                    0.01,
                    Amounts {
                        total: 0,
                        ..usual()
                    },
                ),
                "total = 0",
                "1 or more",
            ),
        ] {
            let error = wants.built(&Form::default()).expect_err(name).to_string();
            assert_eq!(error, format!("{name}: must be {must}"));
        }
    }

    #[test]
    fn what_cannot_be_built_is_told_by_the_options_that_ask_for_it() {
        let amounts = |amount_bits| Amounts {
            total: 10_000,
            counter_bits: 8,
            amount_bits,
        };
        let narrow = sketch(0.01, 0.01, amounts(None)).built(&Form::default());
        let narrow = narrow.expect("amounts are no wider than counters");
        assert!(narrow.specification().contains("\namount_bits = 8 "));
        let distinct = Wants::Static(Static {
            bits: Some(2),
            items: None,
            distinct: true,
            ..members(0.999)
        });
        for (wants, said) in [
            (
                sketch(0.01, 0.01, amounts(Some(16))),
                [
                    "--amount-bits 16: must be from 1 to 8",
                    "nearest legal value 8",
                ],
            ),
            (
                sketch(
                    0.01,
                    0.01,
                    Amounts {
                        total: 100_000,
                        ..amounts(None)
                    },
                ),
                [
                    "--counter-bits 8: counters hold 255 at most, and estimates may be 1000 too high",
                    "take --counter-bits 10 or more",
                ],
            ),
            (
                distinct,
                ["--bits 2: an array", "at least 256 bits; give more bits"],
            ),
        ] {
            let error = wants
                .built(&Form::default())
                .expect_err(said[0])
                .to_string();
            let is_told = error.starts_with(said[0]) && error.contains(said[1]);
            assert!(is_told, "{error}");
        }
    }

    #[test]
    fn an_argument_outside_the_domain_of_a_law_is_told_by_its_option() {
        let sliding = |rate, slack, generations| {
            Wants::Sliding(Sliding {
                window: 4141,
                slack: Some(slack),
                rate,
                generations,
                table: Default::default(),
            })
        };
        let threshold = Wants::Recycling(Recycling {
            memory: Some(4096),
            rate: None,
            messages: None,
            hashes: Some(4),
            phases: None,
            threshold: Some(9_999_999),
            on_messages: false,
            independent: false,
            forget_tripping: false,
            powers_of_two: false,
            false_negatives: None,
        });
        for (wants, said, built) in [
            (threshold, "--threshold 9999999: is outside", true),
            (recycling(0.01, 1e18), "--messages 1e18: is outside", true),
            (sliding(0.9, 4141, None), "--rate 0.9: ", true),
            (sliding(0.9, 4141, None), "--rate 0.9: is outside", false),
            (
                sliding(0.01, 41, Some(64)),
                "--slack = 41 allows 41; take a slack of at least 84",
                true,
            ),
            (
                sliding(0.01, 41, Some(64)),
                "--generations 64: is outside",
                false,
            ),
        ] {
            let error = match built {
                true => wants.built(&Form::default()).map(drop),
                false => wants.sheet().map(drop),
            };
            let error = error.expect_err(said).to_string();
            assert!(
                error.contains(said) && !error.contains("change generations"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_name_is_refused_by_its_rule_whatever_its_characters() {
        for (name, part) in [
            ("x\u{301}", "must be a Verilog identifier"),
            ("a\"b", "must be a Verilog identifier"),
            (
                "a\nb",
                "name = \"a\\nb\": must be without control characters",
            ),
        ] {
            let form = Form {
                name: name.to_owned(),
                ..Form::default()
            };
            let error = members(0.01).built(&form).expect_err(name).to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
