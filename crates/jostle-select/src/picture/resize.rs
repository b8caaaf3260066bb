//! Bicubic resizing, as the `imresize` of MATLAB does it, which the thesis used: where a picture shrinks, the kernel is widened, so that
//! every pixel counts; beyond its sides, the picture is mirrored. Rounded once, at the end.

/// Keys's cubic kernel with a = -1/2.
fn cubic(x: f64) -> f64 {
    let x = x.abs();
    if x <= 1.0 {
        (1.5 * x - 2.5) * x * x + 1.0
    } else if x < 2.0 {
        ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0
    } else {
        0.0
    }
}

/// How much pixels count for one pixel of the result: their numbers and weights, which sum up to 1.
type Weights = Vec<(usize, f64)>;

/// The weights of every pixel of a line of `to` pixels that was one of `from` pixels.
fn weights(from: usize, to: usize) -> Vec<Weights> {
    let scale = to as f64 / from as f64;
    let narrow = scale.min(1.0);
    let reach = 2.0 / narrow;
    let line = |pixel: usize| {
        let centre = (pixel as f64 + 0.5) / scale - 0.5;
        let (first, last) = ((centre - reach).ceil() as i64, (centre + reach).floor() as i64);
        let mut weights: Weights = (first..=last)
            .map(|at| (mirrored(at, from), cubic(narrow * (centre - at as f64))))
            .collect();
        let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
        for (_, weight) in &mut weights {
            *weight /= sum;
        }
        weights
    };
    (0..to).map(line).collect()
}

/// The pixel that a number beyond the ends of a line stands for.
fn mirrored(at: i64, len: usize) -> usize {
    let len = len as i64;
    let at = at.rem_euclid(2 * len);
    (if at < len { at } else { 2 * len - 1 - at }) as usize
}

/// Resizes a picture of three channels. Sides are at least 1.
pub fn bicubic(pixels: &[[u8; 3]], from: [usize; 2], to: [usize; 2]) -> Vec<[u8; 3]> {
    let [width, height] = from;
    let columns = weights(width, to[0]);
    let mut rows: Vec<[f64; 3]> = Vec::with_capacity(to[0] * height);
    for row in pixels.chunks_exact(width) {
        rows.extend(columns.iter().map(|weights| sum(weights, |at| row[at].map(f64::from))));
    }
    let mut resized = Vec::with_capacity(to[0] * to[1]);
    for weights in weights(height, to[1]) {
        let pixel = |x: usize| sum(&weights, |y| rows[y * to[0] + x]);
        resized.extend((0..to[0]).map(|x| pixel(x).map(|value| value.round() as u8)));
    }
    resized
}

fn sum(weights: &Weights, pixel: impl Fn(usize) -> [f64; 3]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for &(at, weight) in weights {
        sum.iter_mut().zip(pixel(at)).for_each(|(sum, value)| *sum += weight * value);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(values: &[u8], to: usize) -> Vec<u8> {
        let pixels: Vec<[u8; 3]> = values.iter().map(|&value| [value; 3]).collect();
        bicubic(&pixels, [values.len(), 1], [to, 1]).into_iter().map(|pixel| pixel[0]).collect()
    }

    #[test]
    fn a_line_that_grows() {
        // By hand: at a quarter of the way, 0.2265625 - 0.0234375 of the white pixels.
        assert_eq!(line(&[0, 255], 4), [0, 52, 203, 255]);
        assert_eq!(line(&[7], 3), [7, 7, 7]);
        assert_eq!(line(&[1, 2, 3], 3), [1, 2, 3]);
    }

    #[test]
    fn a_line_that_shrinks() {
        // By another program, which sums over a long line of mirrored pixels.
        assert_eq!(line(&[0, 0, 255, 255], 2), [14, 241]);
        assert_eq!(line(&[0, 255, 0, 255, 0, 255], 3), [93, 128, 162]);
        assert_eq!(line(&[10, 20, 30, 200, 40, 50, 60, 70, 250], 4), [14, 107, 46, 157]);
        assert_eq!(line(&[255, 0, 0, 0, 0, 0, 0, 0, 0, 0], 3), [85, 0, 0]);
    }

    #[test]
    fn rows_and_columns_are_resized_alike() {
        let pixels: Vec<[u8; 3]> = (0..35u8).map(|at| [at * 7, 255 - at * 7, at]).collect();
        let turned: Vec<[u8; 3]> = (0..35).map(|at| pixels[(at % 5) * 7 + at / 5]).collect();
        let wide = bicubic(&pixels, [7, 5], [3, 11]);
        let high = bicubic(&turned, [5, 7], [11, 3]);
        for (at, pixel) in wide.iter().enumerate() {
            assert_eq!(*pixel, high[(at % 3) * 11 + at / 3]);
        }
    }
}
