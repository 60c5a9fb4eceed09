//! How the time grows with the length of an axis, the number of axes and the
//! number of views.

use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use viewmerge::{Error, Limit, View, merge};

use crate::Result;
use crate::chart::{Chart, Series, Ticks};
use crate::clock::{self, show};
use crate::families::{self, Family, Grows, Sample};
use crate::peers::{Peer, Said};
use crate::walk;

/// The most indices to walk.
const WALKED: i64 = 1 << 22;

/// The text about one kind of growth, and where it goes.
struct Page {
    grows: Grows,
    title: &'static str,
    axis: &'static str,
    file: &'static str,
    ticks: Ticks,
    /// The sizes in the table.
    columns: &'static [i64],
}

const PAGES: [Page; 3] = [
    Page {
        grows: Grows::Length,
        title: "Time against the length of an axis",
        axis: "length of the axis",
        file: "growth.svg",
        ticks: Ticks::Tens,
        columns: &[10, 1_000, 1_000_000, 1_000_000_000, 1_000_000_000_000],
    },
    Page {
        grows: Grows::Rank,
        title: "Time against the number of axes",
        axis: "number of axes",
        file: "growth-rank.svg",
        ticks: Ticks::Twos,
        columns: &[1, 2, 4, 8, 16],
    },
    Page {
        grows: Grows::Views,
        title: "Time against the number of views",
        axis: "number of views in the chain",
        file: "growth-views.svg",
        ticks: Ticks::Twos,
        columns: &[1, 2, 4, 8, 16, 32, 64],
    },
];

/// Measures every family; returns the section and the charts with their file names.
pub(crate) fn section(folder: &Path) -> Result<(String, Vec<(&'static str, Chart)>)> {
    let families = families::all();
    let mut series: Vec<(Grows, Series)> = Vec::new();
    for family in &families {
        series.push((family.grows, measured(family)));
    }
    let compared: Vec<&Family> = families.iter().filter(|family| family.compared).collect();
    series.extend(compared.iter().map(|family| (family.grows, walked(family))));
    let count = compared.iter().map(|family| family.samples.len()).sum();
    for (peer, name) in [(Peer::Tinygrad, "tinygrad"), (Peer::IslFromC, "isl from C")] {
        let mut answers = peer.answers(folder, "growth", count)?.into_iter();
        for family in &compared {
            let both = family.samples.iter().zip(answers.by_ref());
            let points = both.filter(|(_, answer)| answer.is_given());
            let points = points.map(|(sample, answer)| (sample.size, answer.time)).collect();
            let name = format!("{name} on {}", tail(family));
            series.push((family.grows, Series { name, points, dashed: true }));
        }
    }

    let (found, there) = found_by_tinygrad(folder, &compared)?;
    let mut text = format!(
        "## How the time grows\n\n\
         One call of `merge`, the best of nine rounds. Dashed lines show the others on one of the families: isl is given the\n\
         answer; tinygrad finds {found} of the {there} chains of two or more views that are one view. (no) means that the\n\
         chains are not one view.\n"
    );
    let mut charts = Vec::new();
    for page in PAGES {
        let series = series.iter().filter(|(grows, _)| *grows == page.grows);
        let series: Vec<Series> = series.map(|(_, series)| series.clone()).collect();
        text += &table(&page, &series)?;
        charts.push((page.file, Chart { axis: page.axis, ticks: page.ticks, series }));
    }
    text += &hard()?;
    Ok((text, charts))
}

/// How many of the chains of two or more views that are one view tinygrad finds, and how many there are.
fn found_by_tinygrad(folder: &Path, families: &[&Family]) -> Result<(usize, usize)> {
    let samples: Vec<&Sample> = families.iter().flat_map(|family| &family.samples).collect();
    let answers = Peer::Tinygrad.answers(folder, "growth", samples.len())?;
    let (mut found, mut there) = (0, 0);
    for (sample, answer) in samples.iter().zip(answers).filter(|(sample, _)| sample.views.len() > 1)
    {
        found += usize::from(matches!(answer.said, Said::View(Some(_))));
        there += usize::from(merge(&sample.views, &Limit::none())?.is_merged());
    }
    Ok((found, there))
}

/// The name of a family without its kind.
fn tail(family: &Family) -> &'static str {
    family.name.split_once(": ").map_or(family.name, |(_, tail)| tail)
}

fn measured(family: &Family) -> Series {
    let time = |views: &[View]| {
        clock::best(|| {
            let _ = black_box(merge(black_box(views), &Limit::none()));
        })
    };
    let points = family.samples.iter().map(|sample| (sample.size, time(&sample.views))).collect();
    Series { name: family.name.to_string(), points, dashed: false }
}

fn walked(family: &Family) -> Series {
    let small = |views: &[View]| views.last().is_some_and(|view| view.count() <= WALKED);
    let time = |views: &[View]| {
        clock::best(|| {
            black_box(walk::is_one_view(black_box(views)));
        })
    };
    let samples = family.samples.iter().filter(|sample| small(&sample.views));
    let points = samples.map(|sample| (sample.size, time(&sample.views))).collect();
    Series { name: format!("walking every index of {}", tail(family)), points, dashed: true }
}

fn table(page: &Page, series: &[Series]) -> Result<String> {
    let heads: Vec<String> = page.columns.iter().map(|&size| head(size)).collect();
    let mut text = format!(
        "\n### {}\n\n![{}]({})\n\n| {} | {} |\n|---|{}\n",
        page.title,
        page.title,
        page.file,
        page.axis,
        heads.join(" | "),
        "---|".repeat(heads.len())
    );
    for series in series {
        let cell = |&size: &i64| {
            // A family whose sizes are primes has one nearby.
            let near = |&&(point, _): &&(i64, f64)| (point - size).abs() * 10 <= size;
            series.points.iter().find(near).map_or("–".to_string(), |&(_, time)| show(time))
        };
        let cells: Vec<String> = page.columns.iter().map(cell).collect();
        writeln!(text, "| {} | {} |", series.name, cells.join(" | "))?;
    }
    Ok(text)
}

fn head(size: i64) -> String {
    if size < 1_000 { size.to_string() } else { format!("10^{}", size.ilog10()) }
}

/// The reduction of subset sum with many numbers.
fn hard() -> Result<String> {
    let steps = 10_000;
    let mut text = format!(
        "\n### Hard by construction: subset sum\n\n\
         One view exactly when no subset of the numbers has the target sum; every number is an axis.\n\n\
         | numbers | the sum | answer | time | with a limit of {steps} steps | time |\n|---|---|---|---|---|---|\n"
    );
    for count in [10, 20, 30, 40] {
        for exists in [false, true] {
            let views = families::subset_sum(count, 6_000_000, exists);
            let start = Instant::now();
            let answer = merge(&views, &Limit::none())?;
            let time = start.elapsed().as_nanos() as f64;
            let start = Instant::now();
            let limited = merge(&views, &Limit::steps(steps));
            let limited_time = start.elapsed().as_nanos() as f64;
            let word = |merged: bool| if merged { "one view" } else { "not one view" };
            writeln!(
                text,
                "| {count} | {} | {} | {} | {} | {} |",
                if exists { "exists" } else { "does not" },
                word(answer.is_merged()),
                show(time),
                match limited {
                    Err(Error::Undecided { .. }) => "undecided",
                    verdict => word(verdict?.is_merged()),
                },
                show(limited_time)
            )?;
        }
    }
    Ok(text)
}
