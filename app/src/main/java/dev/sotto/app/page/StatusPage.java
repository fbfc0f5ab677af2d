package dev.sotto.app.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.http.HttpEndpoint;
import dev.sotto.evaluation.compare.page.PageAssets;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.monitoring.Drift;
import dev.sotto.serdes.record.AliasChange;
import dev.sotto.serdes.record.AliasTarget;
import dev.sotto.serdes.record.ModelAlias;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private final ObjectMapper json = new ObjectMapper();
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
  public void start(Map<String, String> clients, boolean metrics) {
    history.start(clients, app, metrics);
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
      try {
        state = json.writeValueAsString(fields()) + "\n";
      } catch (JsonProcessingException impossible) {
        throw new UncheckedIOException(impossible);
      }
      madeAt = now;
    }
    return state;
  }

  private Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("app", app);
    fields.put("now", System.currentTimeMillis());
    List<Map<String, Object>> models = new ArrayList<>();
    Map<String, Drift> alarms = Map.copyOf(drifts.get());
    history.models().forEach((id, model) -> models.add(model(id, model, alarms.get(id))));
    fields.put("models", models);
    fields.put("more", history.hasMore());
    fields.put(
        "aliases", history.aliases().values().stream().map(StatusPage::alias).toList());
    return fields;
  }

  private static Map<String, Object> model(String id, ModelHistory model, Drift drift) {
    LedgerEntry entry = model.newest();
    Guarantee guarantee = entry.guarantee();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", id);
    fields.put("version", entry.round());
    fields.put("time", model.time());
    fields.put("algorithm", entry.algorithm());
    fields.put("last", entry.last());
    fields.put("unit", guarantee.unit().configName());
    fields.put("adjacency", guarantee.adjacency().configName());
    fields.put("mechanism", guarantee.mechanism());
    fields.put("epsilon", ModelHistory.finite(guarantee.epsilon()));
    fields.put("delta", guarantee.delta());
    fields.put("limit", ModelHistory.finite(guarantee.epsilonLimit()));
    fields.put("budget", ModelHistory.finite(entry.budgetEpsilon()));
    fields.put("left", ModelHistory.finite(entry.epsilonLeft()));
    fields.put("candidates", entry.terms().candidates());
    fields.put("slots", entry.slots());
    fields.put("perSecond", model.perSecond());
    fields.put("history", model.points());
    fields.put("windows", model.windows());
    fields.put("reliability", model.reliability());
    fields.put("drift", drift == null ? null : drift(drift));
    return fields;
  }

  private static Map<String, Object> drift(Drift drift) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("round", drift.round());
    fields.put("rise", ModelHistory.finite(drift.rise()));
    fields.put("threshold", ModelHistory.finite(drift.threshold()));
    fields.put("since", drift.since().isPresent() ? drift.since().getAsLong() : null);
    return fields;
  }

  private static Map<String, Object> alias(ModelAlias alias) {
    AliasTarget target = alias.target().orElseThrow();
    AliasChange newest = alias.newest();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("alias", alias.alias());
    fields.put("model", target.modelId());
    fields.put("version", target.version());
    fields.put("by", newest.by());
    fields.put("since", newest.time());
    return fields;
  }

  @Override
  public void close() {
    history.close();
  }
}
