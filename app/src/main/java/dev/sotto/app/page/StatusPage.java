package dev.sotto.app.page;

import dev.sotto.app.http.HttpEndpoint;
import dev.sotto.app.view.BudgetText;
import dev.sotto.evaluation.compare.page.PageAssets;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.monitoring.Drift;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.record.AliasChange;
import dev.sotto.serdes.record.AliasTarget;
import dev.sotto.serdes.record.ModelAlias;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ServiceSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A page that shows what a learner has published: models, their cost, private metrics, drift and
 * aliases. That is made from committed topics alone, and so is covered by the guarantee that it
 * states. Beside it stand figures that do not depend on what records hold: which instance has which
 * partitions, and how many events wait. Its state is computed at most once a second, however many
 * look at it.
 */
public final class StatusPage implements AutoCloseable {
  private static final long FRESH_NANOS = 1_000_000_000;

  private final String app;
  private final Supplier<? extends Map<String, Drift>> drifts;
  private final PublishedHistory history;
  private final LongSupplier clock; // milliseconds since 1970, as the brokers count them
  private final InstanceHistory instances = new InstanceHistory();
  private ClusterWatch cluster;
  private Long perVersion;
  private String state;
  private long madeAt;

  /**
   * The page of an application, empty before {@link #start}.
   *
   * @param drifts how it is with each model that has metrics
   */
  public StatusPage(String app, Supplier<? extends Map<String, Drift>> drifts) {
    this(app, drifts, new PublishedHistory(), System::currentTimeMillis);
  }

  StatusPage(
      String app,
      Supplier<? extends Map<String, Drift>> drifts,
      PublishedHistory history,
      LongSupplier clock) {
    this.clock = clock;
    this.app = app;
    this.drifts = drifts;
    this.history = history;
  }

  /** Reads what is published, and looks at who learns, from now on. */
  public synchronized void start(ServiceSettings service, LearnerSettings learner) {
    Plan plan = learner.plan();
    perVersion = plan.needsLogTime() ? null : plan.batch() * plan.lastOfVersion(1);
    history.start(service.clients(), learner);
    cluster = ClusterWatch.start(service, learner, instances);
  }

  /** Reads the newest of what is published from now on: for {@link #newest} alone. */
  public synchronized void startAtNewest(ServiceSettings service, LearnerSettings learner) {
    history.startAtNewest(service.clients(), learner);
    cluster = ClusterWatch.start(service, learner, instances);
  }

  /** The newest version of each model, the aliases, and what waits. */
  public synchronized PublishedNow newest() {
    WaitingEvents waiting = waiting();
    return new PublishedNow(
        history.isWhole(),
        history.newest(),
        history.aliases(),
        cluster == null ? 0 : cluster.partitions(),
        waiting == null ? OptionalLong.empty() : OptionalLong.of(waiting.events()));
  }

  /** Its paths, for an endpoint. */
  public Map<String, HttpEndpoint.Page> paths() {
    return Map.of(
        "/",
        page("text/html; charset=utf-8", "index.html"),
        "/figures.js",
        page("text/javascript; charset=utf-8", "figures.js"),
        "/charts.css",
        new HttpEndpoint.Page("text/css; charset=utf-8", PageAssets::chartStyle),
        "/charts.js",
        new HttpEndpoint.Page("text/javascript; charset=utf-8", PageAssets::charts),
        "/page.css",
        page("text/css; charset=utf-8", "page.css"),
        "/page.js",
        page("text/javascript; charset=utf-8", "page.js"),
        "/api/state",
        new HttpEndpoint.Page("application/json; charset=utf-8", this::state));
  }

  private static HttpEndpoint.Page page(String type, String resource) {
    try (InputStream in = StatusPage.class.getResourceAsStream(resource)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new HttpEndpoint.Page(type, () -> text);
    } catch (IOException broken) {
      throw new UncheckedIOException("the jar lacks " + resource, broken);
    }
  }

  /** What the page shows, as JSON. */
  synchronized String state() {
    long now = System.nanoTime();
    if (state == null || now - madeAt > FRESH_NANOS) {
      state = JsonRenderer.of(describe()) + "\n";
      madeAt = now;
    }
    return state;
  }

  private Section describe() {
    Map<String, Drift> alarms = Map.copyOf(drifts.get());
    List<Section> models = new ArrayList<>();
    long now = clock.getAsLong();
    history.models().forEach((id, model) -> models.add(model(id, model, alarms.get(id), now)));
    WaitingEvents waiting = waiting();
    return Section.untitled()
        .fact("app", app)
        .fact("now", now)
        .items("models", models)
        .fact("more", history.hasMore())
        .fact("perVersion", perVersion)
        .fact("waiting", waiting == null ? null : waiting.events())
        .fact("waitingByPartition", waiting == null ? List.of() : waiting.partitions())
        .fact("instances", instances.instances())
        .fact("takeovers", instances.takeovers())
        .items(
            "aliases",
            history.aliases().values().stream().map(StatusPage::alias).toList());
  }

  /** None where nobody learns any more: they would only grow. */
  private WaitingEvents waiting() {
    boolean ended = !history.models().isEmpty()
        && !history.hasMore()
        && history.models().values().stream().allMatch(each -> each.newest().last());
    return cluster == null || ended
        ? null
        : WaitingEvents.of(cluster.ends(), history.covered(), cluster.beginnings());
  }

  private static Section model(String id, ModelHistory model, Drift drift, long now) {
    LedgerEntry entry = model.newest();
    Guarantee guarantee = entry.guarantee();
    return Section.untitled()
        .fact("id", id)
        .fact("version", entry.round())
        .fact("time", model.time())
        .fact("algorithm", entry.algorithm())
        .fact("last", entry.last())
        .fact("unit", guarantee.unit().configName())
        .fact("adjacency", guarantee.adjacency().configName())
        .fact("mechanism", guarantee.mechanism())
        .fact("epsilon", guarantee.epsilon())
        .fact("delta", guarantee.delta())
        .fact("limit", guarantee.epsilonLimit())
        .fact("budget", entry.budgetEpsilon())
        .fact("left", entry.epsilonLeft())
        .fact("reserved", BudgetText.isReserved(entry))
        .fact("budgetNote", BudgetText.of(entry))
        .fact("candidates", entry.terms().candidates())
        .fact("slots", entry.slots())
        .fact("learned", model.losses().learned())
        .fact("perSecond", model.perSecond(now))
        .fact("history", model.points())
        .fact("windows", model.losses().windows())
        .fact("quality", model.losses().quality())
        .fact("lossBound", model.losses().bound())
        .fact("reliability", model.losses().reliability())
        .fact("curves", model.curves() == null ? null : curves(model.curves()))
        .fact("drift", drift == null ? null : drift(drift));
  }

  private static Section curves(NewestCurves.Of curves) {
    return Section.untitled()
        .fact("version", curves.version())
        .fact("more", curves.more())
        .fact("numbers", curves.first());
  }

  private static Section drift(Drift drift) {
    return Section.untitled()
        .fact("round", drift.round())
        .fact("rise", drift.rise())
        .fact("threshold", drift.threshold())
        .fact("since", drift.since().isPresent() ? drift.since().getAsLong() : null);
  }

  private static Section alias(ModelAlias alias) {
    AliasTarget target = alias.target().orElseThrow();
    AliasChange newest = alias.newest();
    return Section.untitled()
        .fact("alias", alias.alias())
        .fact("model", target.modelId())
        .fact("version", target.version())
        .fact("by", newest.by())
        .fact("since", newest.time());
  }

  @Override
  public void close() {
    ClusterWatch watch;
    synchronized (this) {
      watch = cluster;
    }
    history.close();
    if (watch != null) {
      watch.close();
    }
  }
}
