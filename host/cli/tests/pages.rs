//! Pages and reports in a real browser: headless Chromium at two widths, light and dark, with axe-core looking for what keeps readers out.

use crate::common::run;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of axe-core that npm gives.
const AXE: &str = "axe-core@4.14.1";
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const WIDTHS: [u32; 2] = [390, 1200];
/// Rules that axe-core finds kept on any page at least: fewer, and it did not look.
const LEAST_PASSES: usize = 10;

/// What the browser saw of a page.
#[derive(Debug, serde::Deserialize)]
struct Seen {
    violations: Vec<String>,
    passes: usize,
    width: u32,
    scroll_width: u32,
    dark: bool,
}

fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let places = std::env::split_paths(&path);
    let mut places = places.flat_map(|folder| names.iter().map(move |name| folder.join(name)));
    places.find(|place| place.is_file())
}

/// The browser, and the text of axe-core; `None` and a word of it where one of them cannot be had.
fn browser() -> Option<(PathBuf, String)> {
    let missing = match (on_path(&BROWSERS), on_path(&["npm"])) {
        (Some(browser), Some(npm)) => {
            let folder = tempfile::tempdir().expect("a folder");
            let installed = Command::new(npm)
                .args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"])
                .arg(folder.path())
                .arg(AXE)
                .status();
            let script = folder.path().join("node_modules/axe-core/axe.min.js");
            match (installed, std::fs::read_to_string(script)) {
                (Ok(status), Ok(text)) if status.success() => return Some((browser, text)),
                _ => format!("npm does not give {AXE}"),
            }
        }
        _ => "Chromium and npm are not on PATH (Debian: apt-get install chromium npm)".to_owned(),
    };
    assert!(
        std::env::var_os("CI").is_none_or(|ci| ci != "true"),
        "{missing}"
    );
    eprintln!("skipped: {missing}");
    None
}

/// A text within a script of a page.
fn in_script(text: &str) -> String {
    let json = serde_json::to_string(text).expect("a text");
    json.replace("</", "<\\/")
}

/// The page in a frame of that width, beside what axe-core says of it.
fn framed(page: &str, axe: &str, width: u32) -> String {
    let page = page.replace(
        "</body>",
        &format!(
            "<script>{}</script></body>",
            axe.replace("</script", "<\\/script")
        ),
    );
    format!(
        "<!DOCTYPE html><html lang=\"en\"><body style=\"margin:0\">\
         <iframe id=\"page\" style=\"border:0;width:{width}px;height:100px;display:block\"></iframe>\n\
         <script>\nconst frame = document.getElementById('page');\n\
         const words = (node) => node.html.slice(0, 160) + ': ' + node.failureSummary;\n\
         frame.onload = async () => {{\n\
           const inner = frame.contentDocument.documentElement;\n\
           frame.style.height = inner.scrollHeight + 'px';\n\
           const found = await frame.contentWindow.axe.run();\n\
           const seen = {{\n\
             violations: found.violations.map(v => v.id + ': ' + v.help + '\\n' + v.nodes.slice(0, 3).map(words).join('\\n')),\n\
             passes: found.passes.length, width: frame.contentWindow.innerWidth, scroll_width: inner.scrollWidth,\n\
             dark: frame.contentWindow.matchMedia('(prefers-color-scheme: dark)').matches,\n\
           }};\n\
           const result = document.createElement('pre');\n\
           result.id = 'seen'; result.hidden = true; result.textContent = JSON.stringify(seen);\n\
           document.body.appendChild(result);\n\
         }};\n\
         frame.srcdoc = {};\n</script></body></html>",
        in_script(&page)
    )
}

/// A browser on that file, with `arguments`.
fn chromium(browser: &Path, dark: bool, arguments: &[&str], file: &Path) -> String {
    let profile = tempfile::tempdir().expect("a folder");
    let scheme = if dark { 0 } else { 1 };
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
        ])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--blink-settings=preferredColorScheme={scheme}"))
        .arg("--virtual-time-budget=20000")
        .args(arguments)
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("the browser starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn look(browser: &Path, axe: &str, page: &Path, width: u32, dark: bool) -> Seen {
    let text = std::fs::read_to_string(page).expect("the page");
    let framed_page = page.with_extension("framed.html");
    std::fs::write(&framed_page, framed(&text, axe, width)).expect("written");
    let shown = chromium(
        browser,
        dark,
        &["--window-size=1300,1000", "--dump-dom"],
        &framed_page,
    );
    if let Some(folder) = std::env::var_os("BLOOMLINE_SHOTS") {
        let scheme = if dark { "dark" } else { "light" };
        let name = page.file_stem().unwrap_or_default().to_string_lossy();
        let shot = Path::new(&folder).join(format!("{name}-{width}-{scheme}.png"));
        let screenshot = format!("--screenshot={}", shot.display());
        let size = format!("--window-size={},2600", width.max(500));
        chromium(browser, dark, &[&size, &screenshot], &framed_page);
    }
    std::fs::remove_file(&framed_page).expect("it was written");
    let json = shown
        .split("<pre id=\"seen\" hidden=\"\">")
        .nth(1)
        .and_then(|rest| rest.split("</pre>").next())
        .unwrap_or_else(|| panic!("{}: axe-core did not end:\n{shown:.300}", page.display()));
    let json = json
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&nbsp;", "\u{a0}")
        .replace("&amp;", "&");
    serde_json::from_str(&json).expect("what the script writes")
}

#[test]
#[ignore = "a claim"]
fn pages_read_well_on_a_phone_and_a_desk_by_day_and_by_night() {
    let Some((browser, axe)) = browser() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let made = |arguments: &[&str]| {
        let run = run(folder.path(), arguments);
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
    };
    made(&["examples", "--write", "specs"]);
    let mut pages = Vec::new();
    for example in ["onehit", "members", "hotkeys", "heavy", "window", "flows"] {
        let spec = format!("specs/{example}.toml");
        let plan = format!("plan_{example}.html");
        made(&["plan", &spec, "--html", &plan]);
        made(&["verify", &spec, "--items", "60000", "--report", "reports"]);
        pages.push(folder.path().join(plan));
    }
    let reports = std::fs::read_dir(folder.path().join("reports")).expect("reports");
    let reports = reports.map(|entry| entry.expect("an entry").path());
    pages.extend(reports.filter(|path| path.extension().is_some_and(|ending| ending == "html")));
    made(&["figures", "--quick", "--only", FIGURES, "--out", "figures"]);
    pages.push(folder.path().join("figures/index.html"));
    assert_eq!(pages.len(), 13);
    let mut faults = String::new();
    for page in &pages {
        for (width, dark) in WIDTHS
            .iter()
            .flat_map(|&width| [(width, false), (width, true)])
        {
            let seen = look(&browser, &axe, page, width, dark);
            assert_eq!(
                (seen.width, seen.dark),
                (width, dark),
                "the browser as asked for"
            );
            let name = page.file_name().unwrap_or_default().to_string_lossy();
            if seen.passes < LEAST_PASSES
                || !seen.violations.is_empty()
                || seen.scroll_width > width
            {
                faults += &format!("{name} at {width}, dark {dark}: {seen:#?}\n");
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// Figures that are drawn in seconds.
const FIGURES: &str = "occ-6,cbf-5";
