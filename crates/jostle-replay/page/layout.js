// How panels share the screen.

// Panels are at least so wide, in CSS pixels, and their maps at least so high. If there is no room for that, they are
// scrolled, and then there is no reason to make them that low.
const PANEL_NARROWEST = 150;
const MAP_LOWEST = 70;
const MAP_SCROLLED = 130;

// The least height of a panel in so many rows. `caption` is its height without the map.
function leastHeight(rows, height, caption) {
  return caption + (rows * (caption + MAP_LOWEST) > height ? MAP_SCROLLED : MAP_LOWEST);
}

// The number of columns with which the map is largest in every panel.
function bestColumns(count, { width, height }, caption, aspect) {
  const most = Math.max(1, Math.floor(width / PANEL_NARROWEST));
  let best = 1;
  let largest = 0;
  for (let columns = 1; columns <= Math.min(count, most); columns++) {
    const rows = Math.ceil(count / columns);
    const panel = Math.max(leastHeight(rows, height, caption), height / rows);
    const size = Math.min(width / columns / aspect, panel - caption);
    // What has to be scrolled into view counts less.
    const seen = Math.min(1, height / (panel * rows));
    if (size * seen > largest * 1.02) [best, largest] = [columns, size * seen];
  }
  return best;
}
