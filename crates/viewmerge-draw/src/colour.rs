//! Colours for memory positions: dark to light, equal steps of lightness.
//!
//! The scale runs from dark violet to light yellow in OKLCH, whose lightness is what the
//! eye sees. A cell is coloured by the rank of its position among those shown, so that
//! far-away positions do not wash out the others.

/// A colour as red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Colour([u8; 3]);

impl Colour {
    /// For cells outside the question.
    pub(crate) const FADED: Colour = Colour::new(0xe4, 0xe6, 0xea);

    /// The colour with these channels.
    pub(crate) const fn new(red: u8, green: u8, blue: u8) -> Colour {
        Colour([red, green, blue])
    }

    /// Red, green and blue.
    pub(crate) fn channels(self) -> [u8; 3] {
        self.0
    }

    /// The colour at a place of the scale, 0 the darkest and 1 the lightest.
    pub(crate) fn on_scale(t: f64) -> Colour {
        let t = t.clamp(0.0, 1.0);
        let lightness = 0.36 + 0.56 * t;
        let hue = (290.0 - 185.0 * t).to_radians();
        let chroma = 0.12;
        from_oklab(lightness, chroma * hue.cos(), chroma * hue.sin())
    }

    /// One of sixteen colours that differ in hue, or in lightness once the hues are used up.
    pub(crate) fn of_kind(number: i64) -> Colour {
        let hue = (number.rem_euclid(8) as f64 * 45.0 + 25.0).to_radians();
        let (lightness, chroma) =
            if number.rem_euclid(16) < 8 { (0.87, 0.085) } else { (0.74, 0.12) };
        from_oklab(lightness, chroma * hue.cos(), chroma * hue.sin())
    }

    /// The colour of a bank: once round the hues, with neighbours of different lightness.
    pub(crate) fn of_bank(bank: i64, banks: i64) -> Colour {
        let turn = bank.rem_euclid(banks.max(1)) as f64 / banks.max(1) as f64;
        let hue = (25.0 + 360.0 * turn).to_radians();
        let (lightness, chroma) = if bank % 2 == 0 { (0.87, 0.085) } else { (0.76, 0.115) };
        from_oklab(lightness, chroma * hue.cos(), chroma * hue.sin())
    }

    /// Whether white text stands out more on it than black text.
    pub(crate) fn is_dark(self) -> bool {
        let luminance = self.luminance();
        contrast(1.0, luminance) > contrast(luminance, 0.0)
    }

    /// WCAG's contrast ratio of two colours.
    #[cfg(test)]
    pub(crate) fn contrast(self, other: Colour) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        contrast(one.max(two), one.min(two))
    }

    /// The colour as CSS writes it.
    pub(crate) fn css(self) -> String {
        let Colour([red, green, blue]) = self;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// Relative luminance as WCAG defines it.
    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|channel| linear(f64::from(channel) / 255.0));
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

/// Colours for the positions of one grid.
pub(crate) struct Scale {
    /// The positions shown, each once, in order.
    positions: Vec<i64>,
}

impl Scale {
    /// The scale on which these positions are spread evenly.
    pub(crate) fn of(positions: impl Iterator<Item = i64>) -> Scale {
        let mut positions: Vec<_> = positions.collect();
        positions.sort_unstable();
        positions.dedup();
        Scale { positions }
    }

    /// The colour of a position.
    pub(crate) fn colour(&self, position: i64) -> Colour {
        let rank = self.positions.partition_point(|&other| other < position);
        match self.positions.len() {
            0 | 1 => Colour::on_scale(0.5),
            count => Colour::on_scale(rank as f64 / (count - 1) as f64),
        }
    }
}

/// WCAG's contrast ratio of two relative luminances.
fn contrast(lighter: f64, darker: f64) -> f64 {
    (lighter + 0.05) / (darker + 0.05)
}

fn linear(channel: f64) -> f64 {
    if channel <= 0.040_45 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
}

fn gamma(channel: f64) -> f64 {
    if channel <= 0.003_130_8 { channel * 12.92 } else { 1.055 * channel.powf(1.0 / 2.4) - 0.055 }
}

/// The nearest sRGB colour, channel by channel; the matrices define OKLab.
fn from_oklab(lightness: f64, a: f64, b: f64) -> Colour {
    let long = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let medium = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let short = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    let channels = [
        4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
        -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
        -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701_0 * short,
    ];
    Colour(channels.map(|channel| (gamma(channel.clamp(0.0, 1.0)) * 255.0).round() as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_is_lighter() {
        let luminances: Vec<_> =
            (0..=100).map(|t| Colour::on_scale(f64::from(t) / 100.0).luminance()).collect();
        assert!(luminances.is_sorted_by(|a, b| a < b), "{luminances:?}");
    }

    #[test]
    fn numbers_can_be_read() {
        for t in 0..=100 {
            let colour = Colour::on_scale(f64::from(t) / 100.0);
            let found = if colour.is_dark() {
                contrast(1.0, colour.luminance())
            } else {
                contrast(colour.luminance(), 0.0)
            };
            assert!(found >= 4.5, "{} has contrast {found}", colour.css());
        }
    }

    #[test]
    fn kinds_differ_and_their_numbers_can_be_read() {
        let colours: Vec<_> = (0..16).map(Colour::of_kind).collect();
        for (number, colour) in colours.iter().enumerate() {
            assert!(!colours[..number].contains(colour));
            let found = contrast(colour.luminance(), 0.0);
            assert!(!colour.is_dark() && found >= 4.5, "{} has contrast {found}", colour.css());
        }
        assert_eq!(Colour::of_kind(-1), Colour::of_kind(15));
    }

    #[test]
    fn banks_differ_and_their_numbers_can_be_read() {
        let colours: Vec<_> = (0..32).map(|bank| Colour::of_bank(bank, 32)).collect();
        for (number, colour) in colours.iter().enumerate() {
            assert!(!colours[..number].contains(colour));
            assert!(!colour.is_dark() && contrast(colour.luminance(), 0.0) >= 4.5);
        }
    }

    #[test]
    fn known_colours() {
        assert_eq!(from_oklab(1.0, 0.0, 0.0).css(), "#ffffff");
        assert_eq!(from_oklab(0.0, 0.0, 0.0).css(), "#000000");
        assert_eq!(from_oklab(0.627_96, 0.224_86, 0.125_85).css(), "#ff0000");
    }

    #[test]
    fn positions_spread_over_the_scale() {
        let scale = Scale::of([7, 1 << 60, 7, -3].into_iter());
        assert_eq!(scale.colour(-3), Colour::on_scale(0.0));
        assert_eq!(scale.colour(7), Colour::on_scale(0.5));
        assert_eq!(scale.colour(1 << 60), Colour::on_scale(1.0));
        assert_eq!(Scale::of([4].into_iter()).colour(4), Colour::on_scale(0.5));
    }
}
