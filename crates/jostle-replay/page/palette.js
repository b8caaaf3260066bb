// The colours of agents, by the direction in which their goals lie, and of the heat map.

const HUES = 36;
const FOREIGN_RGB = [255, 93, 108];
const FOREIGN_COLOUR = `rgb(${FOREIGN_RGB.join(" ")})`;
// The lightness and chroma of agents on their way, and of those that have arrived.
const AGENT_TONE = [0.8, 0.13];
const ARRIVED_TONE = [0.66, 0.09];

// From OKLCH, a colour space in which equal lightness looks equally light at every hue.
function rgbOfOklch(lightness, chroma, degrees) {
  const angle = (degrees * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((linear) => {
    const clamped = Math.min(1, Math.max(0, linear));
    const encoded = clamped <= 0.0031308 ? clamped * 12.92 : 1.055 * clamped ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255);
  });
}

const cssOfOklch = (lightness, chroma, hue) => `rgb(${rgbOfOklch(lightness, chroma, hue).join(" ")})`;

const hueDegrees = (hue) => (hue * 360) / HUES;
const AGENT_COLOURS = Array.from({ length: HUES }, (_, hue) => cssOfOklch(...AGENT_TONE, hueDegrees(hue)));
const AGENT_LIGHTS = Array.from({ length: HUES }, (_, hue) => cssOfOklch(0.93, 0.07, hueDegrees(hue)));
const AGENT_SHADES = Array.from({ length: HUES }, (_, hue) => cssOfOklch(0.62, 0.13, hueDegrees(hue)));
const ARRIVED_COLOURS = Array.from({ length: HUES }, (_, hue) => cssOfOklch(...ARRIVED_TONE, hueDegrees(hue)));
const ARRIVED_CENTRES = Array.from({ length: HUES }, (_, hue) => cssOfOklch(0.38, 0.06, hueDegrees(hue)));

// Agents with goals on one side of the floor share a family of colours: east is blue, west is amber. `box` is the rectangle
// with all floor, because the middle of a map may be far from it.
function hueOfGoal(goal, width, { x0, y0, x1, y1 }) {
  const dx = (goal % width) + 0.5 - (x0 + x1) / 2;
  const dy = Math.floor(goal / width) + 0.5 - (y0 + y1) / 2;
  const turn = Math.atan2(dy * (x1 - x0), dx * (y1 - y0)) / (2 * Math.PI) + 240 / 360 + 1;
  return Math.floor(turn * HUES) % HUES;
}

const HEAT_STOPS = [
  [46, 27, 92],
  [122, 32, 122],
  [203, 56, 92],
  [247, 120, 48],
  [253, 196, 76],
  [255, 250, 208],
];

function heatColour(share) {
  const at = Math.min(0.9999, share) * (HEAT_STOPS.length - 1);
  const [low, high] = [HEAT_STOPS[Math.floor(at)], HEAT_STOPS[Math.floor(at) + 1]];
  return low.map((channel, i) => Math.round(channel + (high[i] - channel) * (at % 1)));
}

const heatGradient = () => `linear-gradient(90deg, ${HEAT_STOPS.map((rgb) => `rgb(${rgb.join(" ")})`).join(", ")})`;
