'use strict';

// Shows /api/state and /health/ready, once every two seconds. All text goes in as text: names of models come from
// topics and are never taken for markup.

const {number, span, draw, frame, path, limit} = Charts;
const EVERY_MILLIS = 2000;
const byId = id => document.getElementById(id);
let chosen = chosenInAddress();
let shown = '';

// The model that the address names; none where what stands there is no encoded text.
function chosenInAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch (malformed) {
    return '';
  }
}

const whole = value => number(value, 0);

function say(id, text, className) {
  const element = byId(id);
  if (element.textContent !== text) {
    element.textContent = text;
  }
  if (className !== undefined) {
    element.className = className;
  }
}

function ago(millis) {
  const seconds = Math.max(0, millis / 1000);
  if (seconds < 90) return Math.round(seconds) + ' s ago';
  if (seconds < 5400) return Math.round(seconds / 60) + ' min ago';
  return seconds < 172800 ? Math.round(seconds / 3600) + ' h ago' : Math.round(seconds / 86400) + ' days ago';
}

// ------------------------------------------------------------------------------------------------ tables

function table(into, caption, heads, rows) {
  const made = document.createElement('table');
  const title = made.createCaption();
  title.textContent = caption;
  title.hidden = true;
  const head = made.createTHead().insertRow();
  for (const each of heads) {
    const cell = document.createElement('th');
    cell.scope = 'col';
    cell.textContent = each;
    head.append(cell);
  }
  const body = made.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    row.forEach((value, i) => {
      const cell = line.insertCell();
      cell.textContent = value;
      cell.className = i === 0 ? 'name' : '';
    });
  }
  into.replaceChildren(made);
}

// ------------------------------------------------------------------------------------------------ charts

/** A chart with a table of the same figures behind it; an open table stays open. */
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

function costChart(model) {
  const points = model.history;
  const most = model.limit ?? model.budget;
  const values = points.map(each => each.epsilon).concat(Number.isFinite(most) ? [most] : [], [0]);
  const chart = frame(
    `Epsilon of model ${model.id} by round, up to ${number(model.epsilon, 4)}`,
    span(points.map(each => each.round), 0), span(values, 0.04));
  const {svg, x, y} = chart;
  if (Number.isFinite(most)) {
    limit(chart, most, (model.limit === null ? 'budget ' : 'limit of an endless stream ') + number(most, 2));
  }
  draw(svg, 'path', {class: 'series', d: path(points.map(each => [x(each.round), y(each.epsilon)]))});
  put('cost-chart', svg, 'Epsilon by round', ['Round', 'Slots', 'Epsilon'],
    points.slice().reverse().map(each => [whole(each.round), whole(each.slots), number(each.epsilon, 6)]));
}

function lossChart(model) {
  const points = model.windows.filter(each => Number.isFinite(each.loss));
  if (points.length === 0) {
    byId('loss-chart').textContent = 'The noise leaves no figure yet: windows hold too few events.';
    return;
  }
  const {svg, x, y} = frame(
    `Private mean loss of model ${model.id} by round; newest ${number(points[points.length - 1].loss, 4)}`,
    span(points.map(each => each.lastRound), 0),
    span(points.flatMap(each => [each.loss - 2 * each.lossError, each.loss + 2 * each.lossError]), 0.04));
  const up = points.map(each => [x(each.lastRound), y(each.loss + 2 * each.lossError)]);
  const down = points.map(each => [x(each.lastRound), y(each.loss - 2 * each.lossError)]).reverse();
  draw(svg, 'path', {class: 'band', d: path(up.concat(down)) + 'Z'});
  draw(svg, 'path', {class: 'series', d: path(points.map(each => [x(each.lastRound), y(each.loss)]))});
  put('loss-chart', svg, 'Private loss by window', ['Rounds', 'Mean loss', '\u00b1', 'Accuracy', '\u00b1'],
    points.slice().reverse().map(each => [
      whole(each.firstRound) + '\u2013' + whole(each.lastRound), number(each.loss, 4), number(each.lossError, 4),
      number(each.accuracy, 4), number(each.accuracyError, 4)]));
}

function reliabilityChart(model) {
  const bins = model.reliability.filter(each => Number.isFinite(each.meanLabel) && each.error < 0.5);
  const {svg, x, y} = frame('Predicted probability against the share of label 1', [0, 1], [0, 1]);
  draw(svg, 'line', {class: 'limit', x1: x(0), y1: y(0), x2: x(1), y2: y(1)});
  const inside = value => Math.max(0, Math.min(1, value));
  for (const each of bins) {
    const middle = (each.from + each.to) / 2;
    draw(svg, 'line', {class: 'whisker', x1: x(middle), x2: x(middle),
      y1: y(inside(each.meanLabel - 2 * each.error)), y2: y(inside(each.meanLabel + 2 * each.error))});
    draw(svg, 'circle', {class: 'dot', cx: x(middle), cy: y(inside(each.meanLabel)), r: 4});
  }
  put('reliability-chart', svg, 'Reliability', ['Predicted', 'Events', 'Share of label 1', '\u00b1'],
    model.reliability.map(each => [number(each.from, 2) + '\u2013' + number(each.to, 2), number(each.count, 0),
      number(each.meanLabel, 3), number(each.error, 3)]));
}

/** What a number adds to a score over its range; on a logarithmic axis where its points are uneven. */
function curveChart(id, curve) {
  const name = curve.score === null ? curve.feature : `${curve.score}: ${curve.feature}`;
  const all = curve.points;
  const uneven = Math.abs(all[1].value - all[0].value) < 0.5 * Math.abs(all[all.length - 1].value - all[all.length - 2].value);
  const points = uneven ? all.filter(each => each.value > 0) : all;
  const {svg, x, y} = frame(
    `What ${name} adds to the score, from ${number(all[0].value, 3)} to ${number(all[all.length - 1].value, 3)};`
      + ` it moves it by ${number(curve.spread, 4)}`,
    span(points.map(each => each.value), 0), span(points.map(each => each.score), 0.04), uneven);
  draw(svg, 'path', {class: 'series', d: path(points.map(each => [x(each.value), y(each.score)]))});
  put(id, svg, name, ['Value', 'Adds to the score'],
    all.map(each => [number(each.value, 4), number(each.score, 4)]));
}

function showCurves(curves) {
  const some = Boolean(curves && curves.numbers.length > 0);
  byId('curves-panel').hidden = !some;
  if (!some) {
    return;
  }
  say('curves-note', `Version ${whole(curves.version)}, before each vector is divided by its norm; those that move the`
    + ` score most first${curves.more > 0 ? `, and ${whole(curves.more)} more: ./sotto snapshot --weights` : ''}.`);
  const into = byId('curves');
  while (into.children.length > curves.numbers.length) {
    into.lastChild.remove();
  }
  while (into.children.length < curves.numbers.length) {
    const figure = document.createElement('figure');
    const caption = document.createElement('figcaption');
    const chart = document.createElement('div');
    chart.id = 'curve-' + into.children.length;
    figure.append(caption, chart);
    into.append(figure);
  }
  curves.numbers.forEach((each, i) => {
    into.children[i].firstChild.textContent = each.score === null ? each.feature : `${each.score}: ${each.feature}`;
    curveChart('curve-' + i, each);
  });
}

// ------------------------------------------------------------------------------------------------- words

function meaning(model) {
  if (model.epsilon === null) {
    return 'Nothing: this model is learned without privacy.';
  }
  const unit = model.unit === 'key' ? 'person, with everything they ever sent,' : 'single record';
  const most = model.limit ?? model.budget;
  const factor = Math.exp(model.epsilon);
  const later = Number.isFinite(most) && most > model.epsilon
    ? ` However long the stream runs, epsilon stays at or below ${number(most, 2)}.`
    : '';
  return `Whoever sees everything published so far, and whatever else they know, can hardly tell whether any one ${unit} `
    + `was in the data. Whatever they conclude is at most ${number(factor, 2)} times likelier with it than without it `
    + `(e to the power of epsilon ${number(model.epsilon, 4)}), up to a probability of ${model.delta}.${later}`
    + (model.candidates > 1 ? ` All of this holds for the ${model.candidates} candidates that learn from the same `
      + 'records together: their epsilons are one, and are not added up.' : '');
}

function showModel(model, now) {
  say('title', 'Model ' + model.id);
  say('version', whole(model.version));
  say('version-note', `${model.algorithm}, published ${ago(now - model.time)}`
    + (model.last ? '; the last one: the budget is spent' : ''));
  byId('epsilon').replaceChildren();
  const most = model.limit ?? model.budget;
  byId('epsilon').append(model.epsilon === null ? 'no guarantee' : '\u03b5 ' + number(model.epsilon, 4));
  if (Number.isFinite(most)) {
    const small = document.createElement('small');
    small.textContent = ' of ' + number(most, 2);
    byId('epsilon').append(small);
  }
  // A budget of each unit is reserved whole with the first version: a full bar would read as the end of learning.
  const share = Number.isFinite(most) && most > 0 ? Math.min(1, model.epsilon / most) : 0;
  byId('spent').style.width = (100 * share).toFixed(1) + '%';
  byId('meter').setAttribute('aria-valuenow', model.epsilon ?? 0);
  byId('meter').setAttribute('aria-valuemax', Number.isFinite(most) ? most : model.epsilon ?? 1);
  byId('meter').hidden = !Number.isFinite(most) || model.reserved;
  say('h-cost', model.reserved ? 'Each unit\u2019s budget' : 'Privacy spent');
  say('cost-note', `\u03b4 ${model.delta}; ${model.budgetNote}`
    + (model.candidates > 1 ? `; of all ${model.candidates} candidates together` : ''));
  say('slots', whole(model.slots));
  say('speed-note', 'one for each event, empty ones included'
    + (model.learned ? '; ' + model.learned : ': how many were learned from is not public')
    + (model.perSecond === null ? '' : `; ${number(model.perSecond, model.perSecond < 10 ? 1 : 0)} a second in the last minute`));
  say('meaning', meaning(model));
  costChart(model);
  const newest = model.windows[model.windows.length - 1];
  for (const id of ['loss-card', 'loss-panel', 'drift-card']) {
    byId(id).hidden = !newest;
  }
  byId('reliability-panel').hidden = model.reliability.length === 0;
  if (newest) {
    say('loss', number(newest.loss, 4));
    say('loss-note', `\u00b1 ${number(newest.lossError, 4)} from the noise; accuracy ${number(newest.accuracy, 3)}`
      + `; rounds ${whole(newest.firstRound)}\u2013${whole(newest.lastRound)}`);
    lossChart(model);
    const drift = model.drift;
    say('drift', !drift ? 'no alarm' : drift.since === null ? 'no alarm' : 'alarm',
      drift && drift.since !== null ? 'figure alarm' : 'figure');
    say('drift-note', !drift ? 'too few windows to compare yet'
      : drift.since === null ? `the loss ${drift.rise > 0 ? 'rose' : 'fell'} by ${number(Math.abs(drift.rise), 4)};`
          + ` a rise of more than ${number(drift.threshold, 4)} is an alarm`
        : `since round ${whole(drift.since)} the loss rose by ${number(drift.rise, 4)}, more than ${number(drift.threshold, 4)}`);
  }
  if (model.reliability.length > 0) {
    reliabilityChart(model);
  }
  showCurves(model.curves);
}

function choose(id) {
  chosen = id;
  history.replaceState(null, '', '#' + encodeURIComponent(id));
}

function showModels(state) {
  const ids = state.models.map(each => each.id);
  if (!ids.includes(chosen)) {
    chosen = ids[0];
  }
  const nav = byId('models');
  nav.hidden = ids.length < 2;
  if (nav.dataset.ids !== JSON.stringify(ids)) {
    nav.dataset.ids = JSON.stringify(ids);
    nav.replaceChildren(...ids.map(id => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = id;
      button.addEventListener('click', () => {
        choose(id);
        show(state, true);
      });
      return button;
    }));
  }
  [...nav.children].forEach((button, i) => button.setAttribute('aria-pressed', String(ids[i] === chosen)));
  byId('compare').hidden = ids.length < 2;
  if (ids.length > 1) {
    table(byId('compare-table'), 'Models', ['Model', 'Version', 'Epsilon', 'Private loss', '\u00b1', 'Published'],
      state.models.map(each => {
        const newest = each.windows[each.windows.length - 1];
        return [each.id + (each.candidates > 1 ? ' (candidate)' : ''), whole(each.version), number(each.epsilon, 4), number(newest?.loss, 4), number(newest?.lossError, 4),
          ago(state.now - each.time)];
      }).concat(state.more ? [['and more: see ./sotto ledger']] : []));
  }
}

function show(state, always) {
  const text = JSON.stringify(state.models) + chosen;
  say('app', state.app);
  document.title = 'Sotto \u00b7 ' + state.app;
  byId('empty').hidden = state.models.length > 0;
  byId('model').hidden = state.models.length === 0;
  if (state.models.length > 0) {
    showModels(state);
    const model = state.models.find(each => each.id === chosen);
    if (always || text !== shown) {
      showModel(model, state.now);
      shown = text;
    } else {
      say('version-note', `${model.algorithm}, published ${ago(state.now - model.time)}`
        + (model.last ? '; the last one: the budget is spent' : ''));
    }
  }
  byId('aliases').hidden = state.aliases.length === 0;
  table(byId('alias-table'), 'Aliases', ['Alias', 'Model', 'Version', 'By', 'Since'],
    state.aliases.map(each => [each.alias, each.model, whole(each.version), each.by || '\u2013', ago(state.now - each.since)]));
}

async function look() {
  try {
    const [state, health] = await Promise.all([
      fetch('api/state').then(answer => answer.json()),
      fetch('health/ready').then(answer => answer.json())]);
    say('phase', health.phase, 'pill ' + (health.status === 'up' ? 'up' : 'down'));
    say('reasons', health.reasons.join('; '));
    show(state, false);
    say('updated', 'Updated ' + new Date(state.now).toLocaleTimeString() + '.');
  } catch (gone) {
    say('phase', 'no answer', 'pill down');
    say('reasons', 'the learner does not answer; what is shown is of before');
  }
  setTimeout(look, document.hidden ? 5 * EVERY_MILLIS : EVERY_MILLIS);
}

window.addEventListener('hashchange', () => {
  chosen = chosenInAddress();
});
look();
