package dev.sotto.app.http;

import dev.sotto.learner.monitoring.Drift;
import dev.sotto.topology.status.LifecyclePhase;
import dev.sotto.topology.status.ModelStatus;
import dev.sotto.topology.status.ThreadStatus;
import dev.sotto.topology.status.TransactionStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The metrics of one instance in Prometheus' text format. Each is made of a {@link InstanceView}
 * and the plan, neither of which depends on what records hold, or of published private metrics;
 * nothing else is ever registered. Safe for use by several threads.
 */
final class LearnerMetrics {
  private static final String SECONDS = "seconds";

  private record Family(MultiGauge gauge, Function<InstanceView, Stream<Row<Number>>> rows) {}

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final List<Family> families = new ArrayList<>();
  private final Supplier<InstanceView> learner;
  private final CostForecast costs;
  private final DriftSeries drift;
  private volatile long rounds;

  /** The metrics of an application; every series has its name as a label. */
  LearnerMetrics(
      String app,
      Supplier<InstanceView> learner,
      CostForecast costs,
      HealthPaths health,
      long batch,
      Supplier<? extends Map<String, Drift>> drifts) {
    registry.config().commonTags("app", app);
    this.learner = learner;
    this.costs = costs;
    build();
    instance(health);
    threads();
    restores();
    models(batch);
    costs();
    drift = new DriftSeries(registry, drifts);
  }

  /** Where the metrics are registered. */
  MeterRegistry registry() {
    return registry;
  }

  /** All metrics as they are now. */
  synchronized String scrape() {
    InstanceView view = learner.get();
    rounds = view.progress().rounds();
    families.forEach(family -> family.gauge().register(family.rows().apply(view).toList(), true));
    drift.update();
    return registry.scrape();
  }

  private void build() {
    String version = LearnerMetrics.class.getPackage().getImplementationVersion();
    Tags tags = Tags.of(
        "version",
        version == null ? "unpackaged" : version,
        "java",
        Runtime.version().toString());
    family("sotto.build.info", "Always 1; the labels say what runs.", "", view -> one(tags, 1));
  }

  private void instance(HealthPaths health) {
    one(
        "sotto.live",
        "Whether /health/live says 200.",
        view -> flag(health.live(view).up()));
    one(
        "sotto.ready",
        "Whether /health/ready says 200.",
        view -> flag(health.ready(view).up()));
    one(
        "sotto.started",
        "Whether /health/started says 200.",
        view -> flag(health.started(view).up()));
    family(
        "sotto.phase",
        "1 for the phase of its life that this instance is in, 0 for the others.",
        "",
        view -> Arrays.stream(LifecyclePhase.values())
            .map(phase -> row(
                Tags.of("phase", phase.name().toLowerCase(Locale.ROOT)),
                flag(phase == view.phase()))));
    family(
        "sotto.registry.waiting",
        "Time for which the learner has waited for this schema registry; absent while it does not.",
        SECONDS,
        view -> view.waiting().stream()
            .map(each ->
                row(Tags.of("registry", each.url().toString()), each.age().toSeconds())));
    FunctionCounter.builder("sotto.rounds", this, self -> self.rounds)
        .description("Rounds that this process has committed, of all models.")
        .register(registry);
    family(
        "sotto.newest.round.age",
        "Time since the last round of any model here was committed, or the last task began here.",
        SECONDS,
        view -> view.progress().newestRoundAge().stream()
            .flatMap(age -> one(Tags.empty(), seconds(age))));
    family(
        "sotto.awaited.partition",
        "Time for which the oldest open round has lacked the part of this partition (layout"
            + " rounds).",
        SECONDS,
        view -> view.awaited().stream()
            .map(each -> row(
                Tags.of("partition", Integer.toString(each.partition())),
                seconds(each.waiting()))));
  }

  private void threads() {
    one(
        "sotto.threads",
        "Stream threads that are alive.",
        view -> view.threads().stream().filter(HealthPaths::isAlive).count());
    one(
        "sotto.threads.wanted",
        "Stream threads as configured.",
        each -> each.streams().wanted());
    family(
        "sotto.tasks",
        "Tasks of this instance: active ones learn, standby ones keep a copy of state.",
        "",
        view -> Stream.of(
            row(Tags.of("kind", "active"), sum(view, ThreadStatus::activeTasks)),
            row(Tags.of("kind", "standby"), sum(view, ThreadStatus::standbyTasks))));
    // Whole seconds: how long one commit takes depends on whether there are dead letters to send.
    family(
        "sotto.transaction.age",
        "Time since the stream thread took the first record that is not committed; 0 without one.",
        SECONDS,
        view -> view.streams().transactions().stream()
            .map(each -> row(thread(each), each.open().toSeconds())));
    family(
        "sotto.commit.age",
        "Time since the stream thread's last commit, or since it took its first record.",
        SECONDS,
        view -> view.streams().transactions().stream()
            .map(each -> row(thread(each), each.sinceCommit().toSeconds())));
  }

  /**
   * The name ends with a number within the process, and begins with what is another one at each
   * start.
   */
  private static Tags thread(TransactionStatus transaction) {
    String name = transaction.thread();
    return Tags.of("thread", name.substring(name.lastIndexOf('-') + 1));
  }

  private void restores() {
    one(
        "sotto.restoring.stores",
        "Stores being restored.",
        view -> view.restores().size());
    family(
        "sotto.restore.remaining",
        "What is left of a store's restore, in steps of a tenth.",
        "ratio",
        view -> view.restores().stream()
            .map(each -> row(store(each.store(), each.partition()), each.remaining())));
    family(
        "sotto.restore.age",
        "Time since a store's restore began.",
        SECONDS,
        view -> view.restores().stream()
            .map(each -> row(store(each.store(), each.partition()), seconds(each.running()))));
    family(
        "sotto.restore.estimate",
        "Time that the rest of a store's restore may take if it goes on as before; from the first"
            + " tenth on.",
        SECONDS,
        view -> view.restores().stream()
            .filter(each -> each.tenths() > 0)
            .map(each -> row(
                store(each.store(), each.partition()),
                seconds(each.running()) * (10 - each.tenths()) / each.tenths())));
  }

  private static Tags store(String store, int partition) {
    return Tags.of("store", store, "partition", Integer.toString(partition));
  }

  private void models(long batch) {
    one(
        "sotto.models.shown",
        "Models that have series of their own.",
        view -> view.models().size());
    one(
        "sotto.models.hidden",
        "1 where there are more models than http.models allows series for.",
        view -> flag(view.progress().hidesModels()));
    one("sotto.round.slots", "Slots of a full round (batch.size or block.slots).", view -> batch);
    model("sotto.round", "The last round that was paid for.", "", ModelStatus::round);
    model(
        "sotto.round.age",
        "Time since that round was committed here, or since the task began here.",
        SECONDS,
        model -> seconds(model.roundAge()));
    family(
        "sotto.round.open.slots",
        "Slots filled in the open round as of the last commit; absent while the model is not in"
            + " memory.",
        "",
        view -> view.models().stream()
            .filter(model -> model.openSlots().isPresent())
            .map(model -> row(tags(model), model.openSlots().getAsLong())));
    family(
        "sotto.snapshot.round",
        "The last version published since the task began here.",
        "",
        view -> snapshots(view, ModelStatus.Snapshot::round));
    family(
        "sotto.snapshot.age",
        "Time since that version was committed.",
        SECONDS,
        view -> snapshots(view, snapshot -> seconds(snapshot.age())));
  }

  private void costs() {
    model(
        "sotto.epsilon.spent",
        "Epsilon of everything published so far, as in the ledger; where each unit has a budget of"
            + " its own, what is reserved of it.",
        "",
        model -> costs.of(model.round()).epsilon());
    model(
        "sotto.epsilon.left",
        "Epsilon of the budget that is not spent yet, as in the ledger; 0 from early on where each"
            + " unit has a budget of its own, which is reserved for all that it will ever send.",
        "",
        model -> costs.of(model.round()).left());
    model(
        "sotto.mu",
        "Privacy loss mu (Gaussian differential privacy) of everything published so far.",
        "",
        model -> costs.of(model.round()).mu());
    model(
        "sotto.exhausted",
        "1 where the budget allows no further round: nothing more is learned.",
        "",
        model -> flag(costs.of(model.round()).exhausted()));
  }

  private void model(String name, String help, String unit, Function<ModelStatus, Number> value) {
    family(
        name,
        help,
        unit,
        view -> view.models().stream().map(model -> row(tags(model), value.apply(model))));
  }

  private static Stream<Row<Number>> snapshots(
      InstanceView view, Function<ModelStatus.Snapshot, Number> value) {
    return view.models().stream()
        .filter(model -> model.snapshot().isPresent())
        .map(model -> row(tags(model), value.apply(model.snapshot().get())));
  }

  private static Tags tags(ModelStatus model) {
    return Tags.of("model", model.modelId());
  }

  private void one(String name, String help, Function<InstanceView, Number> value) {
    family(name, help, "", view -> one(Tags.empty(), value.apply(view)));
  }

  private void family(
      String name, String help, String unit, Function<InstanceView, Stream<Row<Number>>> rows) {
    MultiGauge.Builder builder = MultiGauge.builder(name).description(help);
    families.add(
        new Family((unit.isEmpty() ? builder : builder.baseUnit(unit)).register(registry), rows));
  }

  private static Stream<Row<Number>> one(Tags tags, Number value) {
    return Stream.of(row(tags, value));
  }

  private static Row<Number> row(Tags tags, Number value) {
    return Row.of(tags, value);
  }

  private static int sum(InstanceView view, Function<ThreadStatus, Integer> count) {
    return view.threads().stream().map(count).reduce(0, Integer::sum);
  }

  private static int flag(boolean set) {
    return set ? 1 : 0;
  }

  private static double seconds(Duration time) {
    return time.toNanos() / (double) TimeUnit.SECONDS.toNanos(1);
  }
}
