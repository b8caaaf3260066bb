// How panels share the screen.

// Panels are at least so high, in CSS pixels; if there is no room for that, they are scrolled.
const PANEL_LEAST = 150;

// The number of columns with which the map is largest in every panel. `caption` is the height of a panel without its map.
function bestColumns(count, { width, height }, caption, aspect) {
  let best = 1;
  let largest = 0;
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const panel = Math.max(PANEL_LEAST, height / rows);
    const size = Math.min(width / columns / aspect, panel - caption);
    // Scrolling is worse than a smaller map.
    const fitting = panel * rows > height + 1 ? size / 4 : size;
    if (fitting > largest * 1.02) [best, largest] = [columns, fitting];
  }
  return best;
}
