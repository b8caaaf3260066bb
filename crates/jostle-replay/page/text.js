// Elements of the page, and the words in them.

const byId = (id) => document.getElementById(id);

// A new element with a class and a text.
function element(name, className = "", text = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

// Writes only what has changed, because every write makes the browser lay out again.
function write(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

// Titles of runs are often long, and differ only at the end: it stays visible when one is cut off. The rest is in its tooltip.
const TITLE_END = 12;

function titleText(title) {
  const text = element("span", "cut");
  const letters = [...title];
  const middle = letters.length < 2 * TITLE_END ? letters.length : letters.length - TITLE_END;
  text.append(element("span", "", letters.slice(0, middle).join("")), element("span", "", letters.slice(middle).join("")));
  text.title = title;
  return text;
}

const plural = (count, word) => `${grouped(count)} ${word}${count === 1 ? "" : "s"}`;

// A number with commas between thousands, as everywhere in Jostle.
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
