//! Prints what planning, asking for the state, dividing into jobs and merging cost with 10 to 100,000 units, whose results are simulated.

use bloomline_campaign::{parts, Campaign, Checks, Outcome, UnitResult};
use std::path::Path;
use std::time::Instant;

fn timed<T>(what: impl FnOnce() -> T) -> (f64, T) {
    let began = Instant::now();
    let made = what();
    (began.elapsed().as_secs_f64(), made)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("units     plan s   store s  status s  divide s   merge s");
    for units in [10_u64, 1_000, 100_000] {
        let folder = tempfile::tempdir()?;
        let description = folder.path().join("growth.toml");
        std::fs::write(
            &description,
            format!(
                "name = \"growth\"\n[[runs]]\nkind = \"command\"\ncommand = [\"true\", \"{{seed}}\"]\nseeds = {{ from = 1, to = {units} }}\nseconds = 60\n"
            ),
        )?;
        let at = folder.path().join("c");
        let checks = Checks {
            specification: &|_| Ok(()),
            arguments: &|_| Ok(()),
            input: &|_, _, _| Ok(()),
        };
        let (plan, campaign) =
            timed(|| Campaign::create(&at, &description, Path::new("/bin/sh"), checks));
        let campaign = campaign?;
        let (store, stored) = timed(|| {
            campaign.units().iter().try_for_each(|unit| {
                let output = serde_json::json!({ "number": unit.seed, "rate": 0.01 });
                let result = UnitResult {
                    unit: unit.id.clone(),
                    outcome: Outcome::Good,
                    output,
                };
                campaign.store(result, 1.0)
            })
        });
        stored?;
        let (status, progress) = timed(|| campaign.progress());
        assert_eq!(progress?.done as u64, units);
        let all: Vec<_> = campaign.units().iter().collect();
        let (divide, _) = timed(|| parts(&all, 1800.0, 1000));
        let (merge, report) = timed(|| campaign.merge());
        assert_eq!(report?.done as u64, units);
        println!("{units:>7} {plan:>9.3} {store:>9.3} {status:>9.3} {divide:>9.3} {merge:>9.3}");
    }
    Ok(())
}
