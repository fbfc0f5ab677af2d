package dev.sotto.app.page;

import dev.sotto.app.http.HttpEndpoint;
import dev.sotto.evaluation.compare.page.PageAssets;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.monitoring.Drift;
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
import java.util.function.Supplier;

/**
 * A page that shows what a learner has published: models, their cost, private metrics, drift and
 * aliases. It is made from committed topics alone, so whatever it shows is covered by the guarantee
 * that it states. Its state is computed at most once a second, however many look at it.
 */
public final class StatusPage implements AutoCloseable {
  private static final long FRESH_NANOS = 1_000_000_000;

  private final String app;
  private final Supplier<? extends Map<String, Drift>> drifts;
  private final PublishedHistory history;
  private InputEnds input;
  private String state;
  private long madeAt;

  /**
   * The page of an application, empty before {@link #start}.
   *
   * @param drifts how it is with each model that has metrics
   */
  public StatusPage(String app, Supplier<? extends Map<String, Drift>> drifts) {
    this(app, drifts, new PublishedHistory());
  }

  StatusPage(String app, Supplier<? extends Map<String, Drift>> drifts, PublishedHistory history) {
    this.app = app;
    this.drifts = drifts;
    this.history = history;
  }

  /** Reads what is published from now on. */
  public synchronized void start(ServiceSettings service, LearnerSettings learner) {
    history.start(service.clients(), app, learner.plan());
    input = new InputEnds(service, learner.eventTopic()).start();
  }

  /** Reads the newest of what is published from now on: for {@link #newest} alone. */
  public synchronized void startAtNewest(ServiceSettings service, LearnerSettings learner) {
    history.startAtNewest(service.clients(), app, learner.plan());
    input = new InputEnds(service, learner.eventTopic()).start();
  }

  /** The newest version of each model, the aliases, and what waits. */
  public synchronized PublishedNow newest() {
    List<PublishedNow.Version> versions = history.newest();
    int partitions = input == null ? 0 : input.partitions();
    return new PublishedNow(
        history.isWhole(),
        versions,
        history.aliases(),
        partitions,
        partitions == 0 || versions.isEmpty()
            ? OptionalLong.empty()
            : OptionalLong.of(input.waiting(PublishedNow.learned(versions))));
  }

  /** Its paths, for an endpoint. */
  public Map<String, HttpEndpoint.Page> paths() {
    return Map.of(
        "/",
        page("text/html; charset=utf-8", "index.html"),
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
    history.models().forEach((id, model) -> models.add(model(id, model, alarms.get(id))));
    return Section.untitled()
        .fact("app", app)
        .fact("now", System.currentTimeMillis())
        .items("models", models)
        .fact("more", history.hasMore())
        .items(
            "aliases",
            history.aliases().values().stream().map(StatusPage::alias).toList());
  }

  private static Section model(String id, ModelHistory model, Drift drift) {
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
        .fact("candidates", entry.terms().candidates())
        .fact("slots", entry.slots())
        .fact("perSecond", model.perSecond())
        .fact("history", model.points())
        .fact("windows", model.windows())
        .fact("reliability", model.reliability())
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
  public synchronized void close() {
    history.close();
    if (input != null) {
      input.close();
    }
  }
}
