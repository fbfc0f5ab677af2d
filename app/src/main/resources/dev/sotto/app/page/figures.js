'use strict';

// Tables and charts of one model, out of /api/state. All text goes in as text: names of models come from topics and
// are never taken for markup.

const Figures = (() => {
  const {number, span, draw, frame, series, band, limit} = Charts;
  const MOST_COLUMNS = 4;
  const byId = id => document.getElementById(id);
  const whole = value => number(value, 0);

  /** Whether a figure says less than its noise. */
  const isFaint = (value, error) =>
    !Number.isFinite(value) || Number.isFinite(error) && Math.abs(error) >= Math.abs(value);

  /** A cell with a figure and its error, grey where the noise is larger. */
  const noisy = (value, error, digits) => ({
    text: Number.isFinite(value) ? `${number(value, digits)} \u00b1\u00a0${number(error, digits)}` : number(value, digits),
    faint: isFaint(value, error)});

  const cellOf = ({value, error}) => noisy(value, error, 4);

  // ---------------------------------------------------------------------------------------------- tables

  function cell(line, value, i, head) {
    const made = line.insertCell();
    made.setAttribute('role', 'cell');
    made.dataset.head = head;
    const {text, faint = false} = typeof value === 'string' ? {text: value} : value;
    made.append(document.createElement('span'));
    made.firstChild.textContent = text;
    made.className = (i === 0 ? 'name' : '') + (faint ? ' faint' : '');
    return made;
  }

  /** A table; on a narrow screen, and where it has many columns, each row is a list. Its roles hold there, too. */
  function table(into, caption, heads, rows) {
    const made = document.createElement('table');
    made.className = heads.length > MOST_COLUMNS || matchMedia('(max-width: 40rem)').matches ? 'list' : '';
    made.setAttribute('role', 'table');
    made.createCaption().textContent = caption;
    const head = made.createTHead();
    head.setAttribute('role', 'rowgroup');
    const titles = head.insertRow();
    titles.setAttribute('role', 'row');
    for (const each of heads) {
      const title = document.createElement('th');
      title.scope = 'col';
      title.setAttribute('role', 'columnheader');
      title.textContent = each;
      titles.append(title);
    }
    const body = made.createTBody();
    body.setAttribute('role', 'rowgroup');
    for (const row of rows) {
      const line = body.insertRow();
      line.setAttribute('role', 'row');
      row.forEach((value, i) => cell(line, value, i, heads[i]));
    }
    into.replaceChildren(made);
  }

  // ---------------------------------------------------------------------------------------------- charts

  /** As wide as its place, so that letters have one size in all charts and on all screens. */
  const place = id => ({width: Math.max(240, Math.round(byId(id).clientWidth) || 320)});

  /** A chart with a table of the same figures under it; an open table stays open. */
  function put(id, svg, caption, heads, rows) {
    const into = byId(id);
    const open = into.querySelector('details')?.open;
    const details = document.createElement('details');
    details.open = Boolean(open);
    const summary = document.createElement('summary');
    summary.textContent = 'As a table';
    const scroll = document.createElement('div');
    scroll.className = 'scroll';
    scroll.tabIndex = 0;
    table(scroll, caption, heads, rows);
    details.append(summary, scroll);
    const focused = into.contains(document.activeElement);
    into.replaceChildren(svg, details);
    if (focused) {
      summary.focus();
    }
  }

  function cost(model) {
    const points = model.history;
    const most = model.limit ?? model.budget;
    const values = points.map(each => each.epsilon).concat(Number.isFinite(most) ? [most] : [], [0]);
    const chart = frame(
      `Epsilon of model ${model.id} by round, up to ${number(model.epsilon, 4)}`,
      [0, model.version], span(values, 0.04), {whole: true, ...place('cost-chart')});
    if (Number.isFinite(most)) {
      limit(chart, most, (model.limit === null ? 'budget ' : 'limit of an endless stream ') + number(most, 2));
    }
    series(chart, points.filter(each => Number.isFinite(each.epsilon)).map(each => [each.round, each.epsilon]));
    put('cost-chart', chart.svg, 'Epsilon by round', ['Round', 'Slots', 'Epsilon'],
      points.slice().reverse().map(each => [whole(each.round), whole(each.slots), number(each.epsilon, 6)]));
  }

  /** Values for the axis: within what a loss can be, and without points of much more noise than others. */
  function clear(points, bound) {
    const least = Math.min(...points.map(each => each.smooth.error));
    return points.filter(each => each.smooth.error <= 4 * least).flatMap(({smooth, constant}) =>
      [smooth.value - 2 * smooth.error, smooth.value + 2 * smooth.error, constant.value].filter(Number.isFinite)
        .map(value => Math.max(0, Math.min(bound, value))));
  }

  function loss(model) {
    const points = model.windows.filter(each => Number.isFinite(each.smooth.value));
    if (points.length === 0) {
      byId('loss-chart').textContent = 'The noise leaves no figure yet: windows hold too few events.';
      return;
    }
    const constants = points.filter(each => Number.isFinite(each.constant.value));
    const newest = points[points.length - 1];
    const chart = frame(
      `Private mean loss of model ${model.id} by round; newest ${number(newest.smooth.value, 4)}, of the best constant `
        + number(newest.constant.value, 4),
      [0, newest.lastRound], span(clear(points, model.lossBound), 0.04), {whole: true, ...place('loss-chart')});
    band(chart, points.map(({lastRound, smooth}) =>
      [lastRound, smooth.value - 2 * smooth.error, smooth.value + 2 * smooth.error]));
    if (constants.length > 0) {
      series(chart, constants.map(each => [each.lastRound, each.constant.value]), 'base');
    }
    series(chart, points.map(each => [each.lastRound, each.smooth.value]));
    put('loss-chart', chart.svg, 'Private loss by window',
      ['Rounds', 'Loss', 'Accuracy', 'Loss with windows before', 'Best constant of these'],
      model.windows.slice().reverse().map(each => [whole(each.firstRound) + '\u2013' + whole(each.lastRound),
        cellOf(each.loss), cellOf(each.accuracy), cellOf(each.smooth), cellOf(each.constant)]));
  }

  function reliability(model) {
    const bins = model.reliability.filter(each => Number.isFinite(each.meanLabel) && each.error < 0.5);
    const {svg, x, y} = frame(
      'Predicted probability against the share of label 1', [0, 1], [0, 1], place('reliability-chart'));
    draw(svg, 'line', {class: 'limit', x1: x(0), y1: y(0), x2: x(1), y2: y(1)});
    const inside = value => Math.max(0, Math.min(1, value));
    for (const each of bins) {
      const middle = (each.from + each.to) / 2;
      draw(svg, 'line', {class: 'whisker', x1: x(middle), x2: x(middle),
        y1: y(inside(each.meanLabel - 2 * each.error)), y2: y(inside(each.meanLabel + 2 * each.error))});
      draw(svg, 'circle', {class: 'dot', cx: x(middle), cy: y(inside(each.meanLabel)), r: 4});
    }
    put('reliability-chart', svg, 'Reliability', ['Predicted', 'Events', 'Share of label 1'],
      model.reliability.map(each => [number(each.from, 2) + '\u2013' + number(each.to, 2),
        noisy(each.count, each.countError, 0), noisy(each.meanLabel, each.error, 3)]));
  }

  /** Where on its axis a value lies: a curve's points are evenly spaced there, whatever their values are. */
  function shareOf(points) {
    return value => {
      const after = Math.max(1, points.findIndex(each => each.value >= value));
      const [from, to] = [points[after - 1].value, points[after].value];
      return (after - 1 + (to > from ? (value - from) / (to - from) : 0)) / (points.length - 1);
    };
  }

  function isEven(points) {
    const gaps = points.slice(1).map((each, i) => each.value - points[i].value);
    return Math.max(...gaps) <= 1.01 * Math.min(...gaps);
  }

  const nameOf = curve => curve.score === null ? curve.feature : `${curve.score}: ${curve.feature}`;

  /** What a number adds to a score over its range. */
  function curve(id, {points, spread, ...its}) {
    const name = nameOf(its);
    const [first, last] = [points[0].value, points[points.length - 1].value];
    const chart = frame(
      `What ${name} adds to the score, from ${number(first, 3)} to ${number(last, 3)};`
        + ` it moves it by ${number(spread, 4)}`,
      [first, last], span(points.map(each => each.score), 0.04),
      {share: isEven(points) ? null : shareOf(points), ...place(id)});
    series(chart, points.map(each => [each.value, each.score]));
    put(id, chart.svg, name, ['Value', 'Adds to the score'],
      points.map(each => [number(each.value, 4), number(each.score, 4)]));
  }

  /** Charts of all curves, in panels that stay. */
  function curves(all) {
    const into = byId('curves');
    while (into.children.length > all.length) {
      into.lastChild.remove();
    }
    while (into.children.length < all.length) {
      const panel = document.createElement('section');
      panel.className = 'panel';
      const title = document.createElement('h4');
      title.id = 'h-curve-' + into.children.length;
      panel.setAttribute('aria-labelledby', title.id);
      const chart = document.createElement('div');
      chart.id = 'curve-' + into.children.length;
      panel.append(title, chart);
      into.append(panel);
    }
    all.forEach((each, i) => {
      into.children[i].firstChild.textContent = nameOf(each);
      curve('curve-' + i, each);
    });
  }

  return {whole, isFaint, noisy, table, cost, loss, reliability, curves};
})();
