'use strict';

// Shows /api/state and /health/ready, once every two seconds. All text goes in as text: names of models come from
// topics and are never taken for markup.

const {number} = Charts;
const {whole, isFaint, noisy, table} = Figures;
const EVERY_MILLIS = 2000;
const byId = id => document.getElementById(id);
let chosen = chosenInAddress();
let shown = '';
let latest = null; // state

// The model that the address names; none where what stands there is no encoded text.
function chosenInAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch (malformed) {
    return '';
  }
}

// As ./sotto alias takes it.
const versionOf = model => `${model.id}@${model.version}`;

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

function showCurves(curves) {
  const some = Boolean(curves && curves.numbers.length > 0);
  byId('curves-part').hidden = !some;
  if (!some) {
    return;
  }
  say('curves-note', `Version ${whole(curves.version)}, before each vector is divided by its norm; those that move the`
    + ` score most first${curves.more > 0 ? `, and ${whole(curves.more)} more: ./sotto snapshot --weights` : ''}.`);
  Figures.curves(curves.numbers);
}

// ------------------------------------------------------------------------------------------------- words

function meaning(model) {
  if (model.epsilon === null) {
    return 'Nothing: this model is learned without privacy.';
  }
  const unit = model.unit === 'record' ? 'single record' : 'person, with everything they ever sent,';
  const most = model.limit ?? model.budget;
  const factor = Math.exp(model.epsilon);
  const later = Number.isFinite(most) && most > model.epsilon
    ? ` However long the stream runs, epsilon stays at or below ${number(most, 2)}.`
    : '';
  return `Whoever sees everything published so far, and whatever else they know, cannot tell reliably whether any one ${unit} `
    + `was in the data. Whatever they conclude is at most ${number(factor, 2)} times likelier with it than without it `
    + `(e to the power of epsilon ${number(model.epsilon, 4)}), up to a probability of ${model.delta}.${later}`
    + (model.candidates > 1 ? ` All of this holds for the ${model.candidates} candidates that learn from the same `
      + 'records together: their epsilons are one, and are not added up.' : '');
}

/** How a loss compares with that of a prediction that knows no feature. */
function verdict(name, {value, above}) {
  if (value === null) {
    return [];
  }
  const size = number(Math.abs(above ?? 0), 1);
  return [`${name} ${number(value, 4)}: ` + (above === null ? 'there is no noise'
    : Math.abs(above) < 2 ? `not told apart (${size} deviations of the noise)`
      : `${above > 0 ? 'better' : 'worse'} by ${size} deviations of the noise`)];
}

const roundsOf = quality => `${whole(quality.firstRound)}\u2013${whole(quality.lastRound)}`;

function showLoss(quality) {
  const {loss, accuracy, constant, baseRate} = quality;
  const faint = isFaint(loss.value, loss.error);
  const worse = constant.above !== null && constant.above < -2;
  say('loss', number(loss.value, 4), 'figure' + (faint ? ' faint' : worse ? ' alarm' : ''));
  const lines = faint
    ? [`\u00b1 ${number(loss.error, 4)}: smaller than its noise, so it says nothing yet`]
    : [`\u00b1 ${number(loss.error, 4)} from the noise`,
      ...verdict('best constant', constant), ...verdict('base rate before', baseRate)];
  lines.push(`rounds ${roundsOf(quality)}` + (isFaint(accuracy.value, accuracy.error) ? ''
    : `; accuracy ${number(accuracy.value, 3)} \u00b1 ${number(accuracy.error, 3)}`));
  say('loss-note', lines.join('\n'));
}

function showModel(model, now) {
  say('title', 'Model ' + model.id);
  say('version', versionOf(model));
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
  Figures.cost(model);
  const newest = model.windows[model.windows.length - 1];
  for (const id of ['loss-card', 'loss-panel', 'drift-card']) {
    byId(id).hidden = !newest;
  }
  byId('reliability-panel').hidden = model.reliability.length === 0;
  if (newest) {
    showLoss(model.quality);
    Figures.loss(model);
    const drift = model.drift;
    say('drift', !drift ? 'no alarm' : drift.since === null ? 'no alarm' : 'alarm',
      drift && drift.since !== null ? 'figure alarm' : 'figure');
    say('drift-note', !drift ? 'too few windows to compare yet'
      : drift.since === null ? `the loss ${drift.rise > 0 ? 'rose' : 'fell'} by ${number(Math.abs(drift.rise), 4)};`
          + ` a rise of more than ${number(drift.threshold, 4)} is an alarm`
        : `since round ${whole(drift.since)} the loss rose by ${number(drift.rise, 4)}, more than ${number(drift.threshold, 4)}`);
  }
  if (model.reliability.length > 0) {
    say('h-reliability', `Reliability, rounds ${roundsOf(model.quality)}`);
    Figures.reliability(model);
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
    table(byId('compare-table'), 'Models', ['Version', 'Epsilon', 'Private loss', 'Published'],
      state.models.map(each => [
        versionOf(each) + (each.candidates > 1 ? ' (candidate)' : ''), number(each.epsilon, 4),
        noisy(each.quality?.loss.value, each.quality?.loss.error, 4), ago(state.now - each.time)])
        .concat(state.more ? [['and more: see ./sotto ledger']] : []));
  }
}

// Events that no version covers yet, and who learns: both from the cluster, and from nothing that records hold.
function showCluster(state) {
  const {waiting, perVersion} = state;
  say('waiting', whole(waiting));
  say('waiting-note', waiting === null ? 'not known, or nothing is learned any more'
    : 'in no version yet' + (perVersion === null ? '' : `; one takes ${whole(perVersion)} events of its model`));
  say('first', waiting === null || perVersion === null ? ''
    : `It takes ${whole(perVersion)} events of a model; ${whole(waiting)} have come so far.`);
  byId('partitions-part').hidden = state.waitingByPartition.length < 2;
  table(byId('partition-table'), 'Events that wait', ['Partition', 'Events'],
    state.waitingByPartition.map(each => [String(each.partition), whole(each.events)]));
  byId('instances').hidden = state.instances.length === 0;
  table(byId('instance-table'), 'Instances', ['Instance', 'Host', 'Threads', 'Partitions'],
    state.instances.map(each => [each.name, each.host, whole(each.threads), each.partitions || 'none']));
  byId('takeovers').hidden = state.takeovers.length === 0;
  table(byId('takeover-table'), 'Takeovers', ['Partitions', 'From', 'By', 'Seen'],
    state.takeovers.map(each => [each.partitions, each.from, each.to, ago(state.now - each.time)]));
}

function show(state, always) {
  latest = state;
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
  showCluster(state);
  byId('aliases').hidden = state.aliases.length === 0;
  table(byId('alias-table'), 'Aliases', ['Alias', 'Version', 'By', 'Since'],
    state.aliases.map(each =>
      [each.alias, `${each.model}@${each.version}`, each.by || '\u2013', ago(state.now - each.since)]));
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

// Charts are drawn for the width that they have.
let width = window.innerWidth;
window.addEventListener('resize', () => {
  if (latest !== null && window.innerWidth !== width) {
    width = window.innerWidth;
    show(latest, true);
  }
});
look();
