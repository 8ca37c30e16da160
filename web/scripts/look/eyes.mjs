// What an eye sees at once and a unit test does not: runs inside the page, so every function stands alone.

/** How far the page itself can be scrolled sideways. */
export const sideways = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;

/**
 * Text that is cut off: a box hides what does not fit, and neither an ellipsis nor a title tells the rest. Boxes that scroll are fine. Also words that
 * stand out of their button, chip or card.
 */
export const clipped = () => {
  const found = new Set();
  const words = (text) => text.trim().replaceAll(/\s+/g, " ").slice(0, 60);
  const named = (element) => `${element.tagName.toLowerCase()}.${String(element.className?.baseVal ?? element.className).trim().replaceAll(/\s+/g, ".")}`;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const owner = node.parentElement;
    if (!node.data.trim() || !owner || owner.closest(".sr, option, script, style, title, .uplot")) continue;
    // Told to readers of the screen alone.
    if (getComputedStyle(owner).clipPath === "inset(50%)") continue;
    if (!owner.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    let ellipsis = false;
    for (let one = owner; one && one !== document.body; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.display === "inline" || style.display === "contents") continue;
      ellipsis ||= style.textOverflow === "ellipsis" && style.overflowX !== "visible";
      const edge = one.getBoundingClientRect();
      const [before, after] = [edge.x - box.x, box.right - edge.right];
      if (/auto|scroll/.test(style.overflowX + style.overflowY)) break;
      const cuts = /hidden|clip/.test(style.overflowX + style.overflowY);
      const over = Math.max(before, after, cuts ? Math.max(edge.y - box.y, box.bottom - edge.bottom) - 6 : 0);
      if (over <= 1.5) continue;
      // Not cut but left out, on a line of its own that is not shown, and told by the title.
      if (cuts && box.y >= edge.bottom - 1 && owner.closest("[title]")) break;
      if (cuts && !ellipsis) found.add(`cut by ${Math.round(over)} px: "${words(node.data)}" in ${named(one)}`);
      else if (cuts && !owner.closest("[title]")) found.add(`shortened without a title: "${words(node.data)}" in ${named(one)}`);
      else if (!cuts && one.matches("button, a, .chip, .card, .tile, .notice, td, th, select, label, li")) found.add(`stands out by ${Math.round(over)} px: "${words(node.data)}" from ${named(one)}`);
      else if (!cuts) continue;
      break;
    }
  }
  return [...found];
};

/** Things to tap that are smaller than a finger. Links inside a sentence are not counted, as WCAG does. */
export const small = (least) => {
  const found = new Set();
  for (const element of document.querySelectorAll("a[href], button, input, select, textarea, summary, [role=checkbox], [role=button]")) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest(".sr, .skip")) continue;
    const target = element.closest("label") ?? element;
    const style = getComputedStyle(element);
    if (style.display === "inline" || element.disabled) continue;
    const { width, height } = target.getBoundingClientRect();
    if (!width || !height) continue;
    if (Math.min(width, height) < least - 0.5) {
      const text = (element.textContent || element.getAttribute("aria-label") || element.getAttribute("placeholder") || "").trim().slice(0, 30);
      found.add(`${element.tagName.toLowerCase()}.${String(element.className).replaceAll(" ", ".")} "${text}" ${Math.round(width)}×${Math.round(height)}`);
    }
  }
  return [...found];
};
