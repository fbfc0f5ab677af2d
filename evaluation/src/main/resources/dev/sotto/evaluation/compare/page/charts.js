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
  const BAR = 40;

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

  function picture(label, height) {
    return element('svg', {class: 'chart', viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': label});
  }

  function ticks(low, high, most) {
    const rough = (high - low) / most;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(each => each * power).find(each => each >= rough);
    const all = [];
    for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) {
      all.push(Math.abs(at) < step * 1e-9 ? 0 : at);
    }
    return {all, digits: Math.min(6, Math.max(0, -Math.floor(Math.log10(step))))};
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

  /** A frame with axes, and the two scales. */
  function frame(label, xs, ys, logarithmic = false) {
    const svg = picture(label, HEIGHT);
    const across = logarithmic
      ? scale(xs.map(Math.log), LEFT, WIDTH - RIGHT)
      : scale(xs, LEFT, WIDTH - RIGHT);
    const x = value => across(logarithmic ? Math.log(value) : value);
    const y = scale(ys, HEIGHT - BOTTOM, TOP);
    const rows = ticks(ys[0], ys[1], 5);
    for (const each of rows.all) {
      draw(svg, 'line', {class: 'grid', x1: LEFT, x2: WIDTH - RIGHT, y1: y(each), y2: y(each)});
      draw(svg, 'text', {x: LEFT - 6, y: y(each) + 4, 'text-anchor': 'end'}, number(each, rows.digits));
    }
    const columns = logarithmic ? decades(xs[0], xs[1]) : ticks(xs[0], xs[1], 5);
    for (const each of columns.all) {
      draw(svg, 'text', {x: x(each), y: HEIGHT - 8, 'text-anchor': 'middle'},
        each >= 100000 ? compact(each) : number(each, columns.digits));
    }
    return {svg, x, y};
  }

  const path = points => points.map(([a, b], i) => (i ? 'L' : 'M') + a.toFixed(1) + ' ' + b.toFixed(1)).join('');

  /** A line across a frame, with words at its right end. */
  function limit({svg, y}, value, words) {
    draw(svg, 'line', {class: 'limit', x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value)});
    draw(svg, 'text', {x: WIDTH - RIGHT, y: y(value) - 5, 'text-anchor': 'end'}, words);
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
    const {svg, x, y} = frame(label, xs, ys, logarithmic);
    const width = WIDTH - LEFT - RIGHT;
    const height = HEIGHT - TOP - BOTTOM;
    const inside = draw(svg, 'svg', {
      x: LEFT, y: TOP, width, height, viewBox: `${LEFT} ${TOP} ${width} ${height}`, 'aria-hidden': 'true'});
    for (const {className, points} of all) {
      if (points.length === 1) {
        draw(inside, 'circle', {class: 'dot ' + className, cx: x(points[0][0]), cy: y(points[0][1]), r: 4});
      }
      draw(inside, 'path', {
        class: 'series ' + className, d: path(points.map(([a, b]) => [x(a), y(b)]))});
    }
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
    const svg = picture(label, BAR * all.length + 1);
    const most = all.reduce((high, each) => Math.max(high, each.value), 0) || 1;
    all.forEach(({words, className, value}, i) => {
      draw(svg, 'text', {x: 0, y: BAR * i + 14}, words);
      draw(svg, 'rect', {
        class: 'bar ' + className, x: 0, y: BAR * i + 19, width: Math.max(1, value / most * WIDTH), height: 14});
    });
    return svg;
  }

  return {number, span, draw, frame, path, limit, lines, bars};
})();
