'use strict';

// Charts as SVG, for the page of a running learner and for that of a comparison. Colours come from classes
// (charts.css). All text goes in as text and is never taken for markup.

const Charts = (() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const WIDTH = 480;
  const HEIGHT = 220;
  const LEFT = 58;
  const RIGHT = 12;
  const TOP = 12;
  const BOTTOM = 26;
  const EDGE = 6; // so that a point on an edge is whole
  const BAR = 40;
  const CHARACTER = 8.5; // wide, in the charts' font

  const number = (value, digits) => value === null || value === undefined || !Number.isFinite(value)
    ? '\u2013'
    : value.toLocaleString('en-US', {minimumFractionDigits: digits, maximumFractionDigits: digits});

  const compact = value =>
    new Intl.NumberFormat('en', {notation: 'compact', maximumSignificantDigits: 3}).format(value);

  function element(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) {
      made.setAttribute(key, value);
    }
    if (text !== undefined) {
      made.textContent = text;
    }
    return made;
  }

  function draw(parent, name, attributes, text) {
    const made = element(name, attributes, text);
    parent.append(made);
    return made;
  }

  function picture(label, width, height) {
    return element('svg', {class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label});
  }

  function tick(value, digits) {
    const size = Math.abs(value);
    return size >= 100000 ? compact(value)
      : size > 0 && size < 1e-5 ? value.toExponential(0)
      : number(value, digits);
  }

  function ticks(low, high, most, whole = false) {
    const rough = (high - low) / most;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = Math.max(whole ? 1 : 0, [1, 2, 5, 10].map(each => each * power).find(each => 1.1 * each >= rough));
    const all = [];
    for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) {
      all.push(Math.abs(at) < step * 1e-9 ? 0 : at);
    }
    return {all, digits: Math.min(6, Math.max(0, -Math.floor(Math.log10(step))))};
  }

  /** Round numbers of an interval that lie apart on an uneven axis, the roundest first. */
  function roundTicks(low, high, apart) {
    const largest = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high))));
    const found = low <= 0 && high >= 0 ? [0] : [];
    for (const digit of [1, 5, 2]) {
      for (let power = largest; power > largest - 8; power--) {
        const size = Number(`${digit}e${power}`);
        found.push(...[size, -size].filter(each => each >= low && each <= high));
      }
    }
    const all = [];
    for (const each of found) {
      if (all.every(other => apart(each, other))) {
        all.push(each);
      }
    }
    return all;
  }

  function decades(low, high) {
    const all = [];
    for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10) {
      all.push(...(high / low < 100 ? [1, 2, 5] : [1]).map(each => each * power));
    }
    return {all: all.filter(each => each >= low && each <= high), digits: 0};
  }

  /** The least interval that holds all numbers, wider by a share of it on both sides. */
  function span(values, room) {
    const known = values.filter(Number.isFinite);
    let low = known.reduce((a, b) => Math.min(a, b), Infinity);
    let high = known.reduce((a, b) => Math.max(a, b), -Infinity);
    if (!(high > low)) {
      low -= Math.abs(low) * 0.1 || 0.5;
      high += Math.abs(high) * 0.1 || 0.5;
    }
    return [low - room * (high - low), high + room * (high - low)];
  }

  const scale = ([low, high], from, to) => value => from + (value - low) / (high - low) * (to - from);

  /**
   * A frame with axes, the two scales, and a part inside whose edges cut what is drawn into it.
   *
   * @param whole whether x is a whole number
   * @param share where between 0 and 1 an x lies, of an axis that is neither even nor logarithmic
   * @param width in pixels, so that letters have one size
   */
  function frame(label, xs, ys, {logarithmic = false, whole = false, share = null, width = WIDTH} = {}) {
    const svg = picture(label, width, HEIGHT);
    const right = width - RIGHT;
    const even = scale(logarithmic ? xs.map(Math.log) : xs, LEFT, right);
    const x = share === null
      ? value => even(logarithmic ? Math.log(value) : value)
      : value => LEFT + share(value) * (right - LEFT);
    const y = scale(ys, HEIGHT - BOTTOM, TOP);
    const rows = ticks(ys[0], ys[1], 5);
    for (const each of rows.all) {
      draw(svg, 'line', {class: 'grid', x1: LEFT, x2: right, y1: y(each), y2: y(each)});
      draw(svg, 'text', {x: LEFT - 6, y: y(each) + 4, 'text-anchor': 'end'}, tick(each, rows.digits));
    }
    for (const {value, words} of columns(xs, x, {logarithmic, whole, uneven: share !== null, right})) {
      const half = words.length * CHARACTER / 2;
      draw(svg, 'text', {x: Math.min(x(value), width - half), y: HEIGHT - 8, 'text-anchor': 'middle'}, words);
    }
    const inside = draw(svg, 'svg', {
      x: LEFT - EDGE, y: TOP - EDGE, width: right - LEFT + 2 * EDGE, height: HEIGHT - TOP - BOTTOM + 2 * EDGE,
      viewBox: `${LEFT - EDGE} ${TOP - EDGE} ${right - LEFT + 2 * EDGE} ${HEIGHT - TOP - BOTTOM + 2 * EDGE}`,
      'aria-hidden': 'true'});
    return {svg, inside, x, y, right};
  }

  function columns(xs, x, {logarithmic, whole, uneven, right}) {
    const most = Math.max(2, Math.min(5, Math.floor((right - LEFT) / 48)));
    if (uneven) {
      const words = value => Math.abs(value) >= 1000 ? compact(value) : String(value);
      const apart = (a, b) =>
        Math.abs(x(a) - x(b)) > (words(a).length + words(b).length) / 2 * CHARACTER + CHARACTER;
      return roundTicks(xs[0], xs[1], apart).map(value => ({value, words: words(value)}));
    }
    const {all, digits} = logarithmic ? decades(xs[0], xs[1]) : ticks(xs[0], xs[1], most, whole);
    return all.map(value => ({value, words: tick(value, digits)}));
  }

  const path = points => points.map(([a, b], i) => (i ? 'L' : 'M') + a.toFixed(1) + ' ' + b.toFixed(1)).join('');

  /** A line through points [x, y] of a frame; one alone is a point. */
  function series({inside, x, y}, points, className = '') {
    if (points.length === 1) {
      draw(inside, 'circle', {class: 'dot ' + className, cx: x(points[0][0]), cy: y(points[0][1]), r: 4});
    } else {
      draw(inside, 'path', {class: 'series ' + className, d: path(points.map(([a, b]) => [x(a), y(b)]))});
    }
  }

  /** What lies between two values at each point [x, low, high] of a frame; at one alone a line. */
  function band({inside, x, y}, points) {
    if (points.length === 1) {
      const [at, low, high] = points[0];
      draw(inside, 'line', {class: 'whisker', x1: x(at), x2: x(at), y1: y(low), y2: y(high)});
    } else {
      const edge = points.map(([at, , high]) => [x(at), y(high)])
        .concat(points.map(([at, low]) => [x(at), y(low)]).reverse());
      draw(inside, 'path', {class: 'band', d: path(edge) + 'Z'});
    }
  }

  /** A line across a frame, with words at its right end. */
  function limit({svg, y, right}, value, words) {
    draw(svg, 'line', {class: 'limit', x1: LEFT, x2: right, y1: y(value), y2: y(value)});
    draw(svg, 'text', {x: right, y: y(value) - 5, 'text-anchor': 'end'}, words);
  }

  /**
   * Lines through points [x, y] in one frame, cut off at its edges. A line under the pointer says what all of them
   * are there.
   *
   * @param all an array of {name, className, points}
   * @param say receives x, and the point of each at or behind it
   */
  function lines(label, all, ys, logarithmic, say) {
    const xs = span(all.flatMap(each => each.points.map(point => point[0])), 0);
    const chart = frame(label, xs, ys, {logarithmic});
    const {svg, inside, x} = chart;
    all.forEach(({className, points}) => series(chart, points, className));
    const pointer = draw(inside, 'line', {class: 'pointer', x1: -9, x2: -9, y1: TOP, y2: HEIGHT - BOTTOM});
    svg.addEventListener('pointermove', event => {
      const box = svg.getBoundingClientRect();
      const at = (event.clientX - box.left) / box.width * WIDTH;
      const nearest = all.flatMap(each => each.points).reduce(
        (best, point) => Math.abs(x(point[0]) - at) < Math.abs(x(best[0]) - at) ? point : best);
      pointer.setAttribute('x1', x(nearest[0]));
      pointer.setAttribute('x2', x(nearest[0]));
      say(nearest[0], all.map(each => ({
        name: each.name, point: each.points.find(point => point[0] >= nearest[0])})));
    });
    return svg;
  }

  /** Bars from the left, each under its words: an array of {words, className, value}. */
  function bars(label, all) {
    const svg = picture(label, WIDTH, BAR * all.length + 1);
    const most = all.reduce((high, each) => Math.max(high, each.value), 0) || 1;
    all.forEach(({words, className, value}, i) => {
      draw(svg, 'text', {x: 0, y: BAR * i + 14}, words);
      draw(svg, 'rect', {
        class: 'bar ' + className, x: 0, y: BAR * i + 19, width: Math.max(1, value / most * WIDTH), height: 14});
    });
    return svg;
  }

  return {number, span, draw, frame, series, band, limit, lines, bars};
})();
