//! Learning curves as SVG: losses above, accuracies below.

use std::fmt::Write;

use super::log::LogRow;

/// Size of the inner part of a panel, and its margins.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 32.0;
const BELOW: f64 = 44.0;
const RIGHT: f64 = 140.0;

/// A line of a panel.
struct Curve<'a> {
    name: &'a str,
    color: &'a str,
    value: fn(&LogRow) -> f64,
}

struct Panel<'a> {
    title: &'a str,
    curves: &'a [Curve<'a>],
}

const PANELS: [Panel<'static>; 2] = [
    Panel {
        title: "loss",
        curves: &[
            Curve { name: "training", color: "#d08020", value: |row| row.train_loss },
            Curve { name: "validation", color: "#2060b0", value: |row| row.loss },
            Curve {
                name: "validation error",
                color: "#60a060",
                value: |row| row.mean_square_error,
            },
        ],
    },
    Panel {
        title: "accuracy in validation",
        curves: &[
            Curve { name: "outcomes", color: "#2060b0", value: |row| row.outcome_accuracy },
            Curve { name: "moves", color: "#b03060", value: |row| row.move_agreement },
        ],
    },
];

/// Draws the rows of a log.
pub fn svg(rows: &[LogRow]) -> String {
    let (width, height) = (LEFT + WIDTH + RIGHT, PANELS.len() as f64 * (TOP + HEIGHT + BELOW));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (at, panel) in PANELS.iter().enumerate() {
        let panel = PlacedPanel::new(panel, rows, at as f64 * (TOP + HEIGHT + BELOW) + TOP);
        panel.draw_axes(&mut out);
        panel.draw_curves(&mut out);
    }
    out.push_str("</svg>\n");
    out
}

/// The range of an axis, from its first to its last tick.
struct Axis {
    from: f64,
    step: f64,
    ticks: usize,
}

impl Axis {
    /// An axis with about five ticks at round numbers that contains all values.
    fn of(values: impl Iterator<Item = f64>) -> Axis {
        let finite = values.filter(|value| value.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        if low > high {
            return Axis { from: 0.0, step: 0.2, ticks: 5 };
        }
        let rough = ((high - low) / 4.0).max(high.abs().max(1e-6) * 1e-3);
        let power = 10f64.powf(rough.log10().floor());
        let round = [1.0, 2.0, 5.0, 10.0].into_iter().find(|&round| round * power >= rough);
        let step = round.unwrap_or(10.0) * power;
        let from = (low / step).floor() * step;
        let ticks = ((high - from) / step).ceil().max(1.0) as usize;
        Axis { from, step, ticks }
    }

    /// The position of a value, from 0 to 1.
    fn at(&self, value: f64) -> f64 {
        (value - self.from) / (self.step * self.ticks as f64)
    }

    fn labels(&self) -> impl Iterator<Item = (f64, String)> + '_ {
        let digits = (-self.step.log10().floor()).max(0.0) as usize;
        (0..=self.ticks).map(move |tick| {
            let value = self.from + tick as f64 * self.step;
            (value, format!("{value:.digits$}"))
        })
    }
}

/// A panel at its place in the drawing.
struct PlacedPanel<'a> {
    panel: &'a Panel<'a>,
    rows: &'a [LogRow],
    top: f64,
    x_axis: Axis,
    y_axis: Axis,
}

impl<'a> PlacedPanel<'a> {
    fn new(panel: &'a Panel<'_>, rows: &'a [LogRow], top: f64) -> PlacedPanel<'a> {
        let values = panel.curves.iter().flat_map(|curve| rows.iter().map(curve.value));
        PlacedPanel {
            panel,
            rows,
            top,
            x_axis: Axis::of(rows.iter().map(|row| row.epoch).chain([0.0])),
            y_axis: Axis::of(values),
        }
    }

    fn x(&self, epoch: f64) -> f64 {
        LEFT + WIDTH * self.x_axis.at(epoch)
    }

    fn y(&self, value: f64) -> f64 {
        self.top + HEIGHT * (1.0 - self.y_axis.at(value))
    }

    fn draw_axes(&self, out: &mut String) {
        let (top, bottom, title) = (self.top, self.top + HEIGHT, self.panel.title);
        let title_y = top - 10.0;
        put(
            out,
            format_args!("<text x=\"{LEFT}\" y=\"{title_y}\" font-weight=\"bold\">{title}</text>"),
        );
        for (value, label) in self.y_axis.labels() {
            let (y, end) = (self.y(value), LEFT + WIDTH);
            put(out, format_args!("<path d=\"M{LEFT} {y:.1}H{end}\" stroke=\"#ddd\"/>"));
            let (x, y) = (LEFT - 6.0, y + 4.0);
            put(
                out,
                format_args!("<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\">{label}</text>"),
            );
        }
        for (value, label) in self.x_axis.labels() {
            let (x, y) = (self.x(value), bottom + 18.0);
            put(out, format_args!("<path d=\"M{x:.1} {bottom}v5\" stroke=\"black\"/>"));
            put(
                out,
                format_args!("<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{label}</text>"),
            );
        }
        let (middle, right, y) = (LEFT + WIDTH / 2.0, LEFT + WIDTH, bottom + 34.0);
        put(
            out,
            format_args!(
                "<path d=\"M{LEFT} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"black\"/>"
            ),
        );
        put(
            out,
            format_args!("<text x=\"{middle}\" y=\"{y}\" text-anchor=\"middle\">epoch</text>"),
        );
    }

    fn draw_curves(&self, out: &mut String) {
        for (at, Curve { name, color, value }) in self.panel.curves.iter().enumerate() {
            let rows = self.rows.iter().filter(|row| value(row).is_finite());
            let point =
                |row: &LogRow| format!("{:.1},{:.1}", self.x(row.epoch), self.y(value(row)));
            let points = rows.map(point).collect::<Vec<_>>().join(" ");
            put(
                out,
                format_args!(
                    "<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"/>"
                ),
            );
            let (x, y) = (LEFT + WIDTH + 12.0, self.top + 14.0 + 18.0 * at as f64);
            put(out, format_args!("<text x=\"{x}\" y=\"{y}\" fill=\"{color}\">{name}</text>"));
        }
    }
}

/// Adds a line. Writing to a string cannot fail.
fn put(out: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = writeln!(out, "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_hold_all_values_between_round_ticks() {
        for (values, from, step) in [
            (vec![0.013, 0.049], 0.01, 0.01),
            (vec![1.0, 9.0], 0.0, 2.0),
            (vec![-3.0, 700.0], -200.0, 200.0),
        ] {
            let axis = Axis::of(values.iter().copied());
            assert!((axis.from - from).abs() < 1e-9 && (axis.step - step).abs() < 1e-9);
            assert!(values.iter().all(|&value| (0.0..=1.0).contains(&axis.at(value))));
        }
        for odd in [vec![], vec![5.0], vec![0.0, 0.0], vec![f64::NAN, 1.0]] {
            let axis = Axis::of(odd.iter().copied());
            assert!(axis.step > 0.0 && axis.ticks >= 1 && axis.ticks < 20);
        }
    }

    #[test]
    fn every_row_is_a_point_of_every_curve() {
        let row = |step: u64| LogRow {
            step,
            epoch: step as f64,
            learning_rate: 1e-3,
            train_loss: 0.5 / step as f64,
            loss: 0.6 / step as f64,
            mean_square_error: 0.02,
            outcome_accuracy: 0.7,
            move_agreement: f64::NAN,
            seconds: 1.0,
        };
        let rows: Vec<LogRow> = (1..=7).map(row).collect();
        let drawing = svg(&rows);
        let lines: Vec<&str> =
            drawing.lines().filter(|line| line.starts_with("<polyline")).collect();
        assert_eq!(lines.len(), 5);
        let points = |line: &str| line.matches(',').count();
        assert_eq!(lines.iter().map(|line| points(line)).collect::<Vec<_>>(), [7, 7, 7, 7, 0]);
        assert!(!drawing.contains("NaN"));
        assert!(svg(&[]).ends_with("</svg>\n"));
    }
}
