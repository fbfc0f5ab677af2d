package dev.sotto.evaluation.volume;

import static dev.sotto.evaluation.volume.VolumeScenario.DAY;

import dev.sotto.evaluation.text.FigureFormat;
import dev.sotto.evaluation.volume.VolumeScenario.Load;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.admin.TopicRequirement;
import dev.sotto.topology.registry.RegistryCopies;
import dev.sotto.topology.runtime.Deployment;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes that a learner writes in a day, and ever holds, in each of its topics and folders. Every
 * figure is an upper bound for events that come evenly, their models mixed ({@link Evictions});
 * sizes of records are those of the serializers.
 */
public final class VolumeForecast {
  private static final double WEEK = 7 * DAY;
  private static final long SEGMENT = 64L << 20;
  private static final long SMALL_SEGMENT = 16L << 20;
  private static final long BROKER_SEGMENT = 100L << 20;
  private static final long LETTERS = 1L << 30;
  private static final String FOR_EVER = "not bounded: ";
  private static final String CHANGELOG = "compacted: up to three times the state";

  private final VolumeScenario scenario;
  private final LearnerSettings learner;
  private final Plan plan;
  private final Load load;
  private final RecordBytes bytes;
  private final Evictions evictions;

  private VolumeForecast(VolumeScenario scenario) {
    this.scenario = scenario;
    this.learner = scenario.learner();
    this.plan = scenario.plan();
    this.load = scenario.load();
    double year = 365 * DAY * scenario.modelRate() / plan.batch();
    this.bytes = new RecordBytes(learner, load.partitions(), (long) Math.max(1, year));
    this.evictions = Evictions.of(scenario);
  }

  /** One line for each topic of the learner, for its folder, and for the brokers' own topics. */
  public static List<TopicVolume> of(VolumeScenario scenario) {
    VolumeForecast forecast = new VolumeForecast(scenario);
    Deployment deployment = scenario.deployment();
    List<TopicVolume> all = new ArrayList<>();
    all.add(forecast.events(deployment.events().topic()));
    deployment.labels().ifPresent(each -> all.add(forecast.labels(each.topic())));
    deployment.topics().forEach(each -> all.add(forecast.topic(each)));
    deployment.changelogs().forEach(each -> all.add(forecast.changelog(each)));
    all.add(forecast.folder());
    all.add(forecast.offsets());
    all.add(forecast.transactions());
    return List.copyOf(all);
  }

  /**
   * Bytes that one transaction writes at most: a version of a model with its state, or a checkpoint
   * of all models of a trainer, whatever is more.
   */
  public static double bytesOfTransaction(VolumeScenario scenario) {
    VolumeForecast forecast = new VolumeForecast(scenario);
    RecordBytes bytes = forecast.bytes;
    double state = bytes.statePages() + bytes.index() + bytes.heads();
    double version = state
        + written(scenario, RegistryCopies.Kind.SNAPSHOTS) * bytes.snapshot()
        + written(scenario, RegistryCopies.Kind.LEDGER) * bytes.entry()
        + bytes.metrics();
    return Math.max(
        version, forecast.modelsOfHomeAtWork() * (state + bytes.openPages() + bytes.openRound()));
  }

  /** How often a published record is written. */
  private static int written(VolumeScenario scenario, RegistryCopies.Kind kind) {
    return scenario.service().copies().filter(each -> each.has(kind)).isPresent() ? 2 : 1;
  }

  /**
   * Bytes of events that wait for their labels, of the labels that have come, and of their ids, in
   * all instances together; 0 where labels do not come later.
   */
  public static double bytesWaiting(VolumeScenario scenario) {
    double each = scenario.load().recordBytes() + LABEL + 2 * ID;
    return scenario
        .learner()
        .labels()
        .map(labels -> scenario.load().rate() * labels.patience().toMillis() / 1000.0 * each)
        .orElse(0.0);
  }

  private TopicVolume events(String topic) {
    double day = load.rate() * load.recordBytes() * DAY;
    return new TopicVolume(topic, day, Double.NaN, "yours: its retention.ms and retention.bytes");
  }

  private TopicVolume labels(String topic) {
    double day = load.rate() * LABEL * DAY;
    return new TopicVolume(
        topic, day, Double.NaN, "yours: of 130 bytes, if every event gets one label");
  }

  private TopicVolume topic(TopicRequirement need) {
    String topic = need.topic();
    String app = learner.app();
    String suffix = topic.substring(app.length());
    return switch (suffix) {
      case ".snapshots", ".snapshots.registry" -> snapshots(topic);
      case ".ledger", ".ledger.registry" -> ledger(topic);
      case ".metrics" -> metrics(topic);
      case ".dead-letters" -> letters(topic);
      case ".start" -> start(topic);
      case ".order" -> order(topic);
      case ".labelled" -> labelled(topic);
      case ".control" -> control(topic);
      case ".sums" -> sums(topic);
      default -> throw new IllegalStateException("no volume is known of topic " + topic);
    };
  }

  private TopicVolume changelog(TopicRequirement need) {
    String topic = need.topic();
    String app = learner.app();
    if (topic.equals(Names.changelog(app, Names.LEARNER))) {
      return learnerChangelog(topic);
    }
    if (topic.equals(Names.changelog(app, Names.HEADS))) {
      return headsChangelog(topic);
    }
    if (topic.equals(Names.changelog(app, Names.UNITS))) {
      return unitsChangelog(topic);
    }
    if (topic.equals(Names.changelog(app, Names.JOINS))) {
      return joinsChangelog(topic);
    }
    throw new IllegalStateException("no volume is known of changelog " + topic);
  }

  /** A record of a few numbers. */
  private static final long SMALL = 64;

  private static long overhead() {
    return LogBytes.BATCH + LogBytes.MARKER;
  }

  /** Commits of one thread in a day: in layout rounds at every close and every part as well. */
  private double commits() {
    double closes =
        learner.layout() == Layout.ROUNDS ? scenario.queries() * (load.partitions() + 1) : 0;
    return DAY / scenario.commitInterval() + closes;
  }

  /**
   * Markers in the partitions that get a record with some versions: one commit may hold several.
   */
  private double markers(double versions) {
    return LogBytes.MARKER * Math.min(versions, commits() * scenario.homes());
  }

  private TopicVolume snapshots(String topic) {
    double day = scenario.versions() * bytes.snapshot() + markers(scenario.versions());
    Duration history = scenario.service().historyHorizon();
    double held = day * history.toMillis() / 1000 / DAY
        + 2.0 * load.models() * bytes.snapshot()
        + 2.0 * SEGMENT * scenario.homes();
    return new TopicVolume(
        topic,
        day,
        held,
        "compacted: every version for " + hours(history) + " (" + ApplicationKeys.HISTORY
            + "), then the newest of each model");
  }

  private static String hours(Duration span) {
    return span.toMillis() % 3_600_000 == 0 ? span.toHours() + " h" : span.toMillis() + " ms";
  }

  private TopicVolume ledger(String topic) {
    double day = scenario.versions() * bytes.entry() + markers(scenario.versions());
    return new TopicVolume(
        topic,
        day,
        Double.POSITIVE_INFINITY,
        FOR_EVER + "one entry a version, the only account of what has been spent; "
            + FigureFormat.bytes(365 * day) + " in a year");
  }

  private TopicVolume metrics(String topic) {
    double windows =
        Math.min(scenario.versions(), scenario.queries() / plan.metrics().window());
    double day = windows * bytes.metrics() + markers(windows);
    return new TopicVolume(topic, day, day * 2 * WEEK / DAY, "7 days, and a segment of as long");
  }

  private TopicVolume letters(String topic) {
    double held = load.partitions() * (double) (LETTERS + SEGMENT);
    long each = LogBytes.BATCH / 2
        + LogBytes.record(0, Math.min(load.recordBytes(), 512 << 10))
        + LETTER_HEADERS;
    return new TopicVolume(
        topic,
        0,
        Math.min(held, 7 * load.rate() * DAY * each + 2 * SEGMENT * load.partitions()),
        "7 days, 1 GiB in each partition; " + each + " bytes for each event that cannot be read");
  }

  /** Reason, sentence, topic, place and lengths. */
  private static final long LETTER_HEADERS = 350;

  private TopicVolume start(String topic) {
    double once = (double) Double.BYTES * plan.dimension()
        + bytes.manifestValue()
        + 2 * bytes.entryValue()
        + overhead();
    return new TopicVolume(topic, 0, once, "written once, at the first start");
  }

  /**
   * Where the layout announces how far each partition has come: 20 times a second while events
   * come, in one batch, 40 bytes for each partition.
   */
  private TopicVolume order(String topic) {
    double day = DAY * 20 * (load.partitions() * 40 + LogBytes.BATCH);
    return new TopicVolume(topic, day, Double.NaN, "kept as long as the events");
  }

  /** A record for every event, with its label. */
  private TopicVolume labelled(String topic) {
    double day = load.rate() * DAY * (load.recordBytes() + LABEL)
        + load.partitions() * commits() * overhead();
    return new TopicVolume(topic, day, Double.NaN, "kept as long as the events");
  }

  /** The event and its label while they wait, and their id for two waits. */
  private TopicVolume joinsChangelog(String topic) {
    double each = load.recordBytes() + LABEL;
    double day =
        load.rate() * DAY * (each + JOIN_WRITES) + load.partitions() * commits() * overhead();
    return compacted(topic, day, bytesWaiting(scenario));
  }

  /** A label with its key, and what stands before the two in a labelled event. */
  private static final long LABEL = 130;

  /** What a join writes for an event beside it: where it has come, the state of the id, queues. */
  private static final long JOIN_WRITES = 900;

  /** What is remembered of an id. */
  private static final long ID = 160;

  private TopicVolume control(String topic) {
    int points = plan.asksPools() ? plan.block().sampling().points() : 1;
    double point = (double) Double.BYTES * plan.dimension() * points;
    long pieces = (long) point / (512 << 10) + 1;
    double round = point + (pieces + 1) * (LogBytes.BATCH + 4 * SMALL) + LogBytes.MARKER;
    return new TopicVolume(
        topic,
        scenario.queries() * load.partitions() * round,
        load.partitions() * (16 * round + 2 * SMALL_SEGMENT),
        "compacted: the newest 8 rounds");
  }

  private TopicVolume sums(String topic) {
    int points = plan.asksPools() ? plan.block().sampling().points() : 1;
    double sum = (double) Double.BYTES * plan.dimension() * points + 4 * SMALL;
    long pieces = (long) sum / (512 << 10) + 1;
    double part = sum + pieces * (LogBytes.BATCH + 4 * SMALL) + LogBytes.MARKER;
    return new TopicVolume(
        topic,
        scenario.queries() * load.partitions() * part,
        load.partitions() * 16 * part + 2 * SMALL_SEGMENT,
        "compacted: the newest of every partition");
  }

  /** States of all models that are written in a day: with versions, and at checkpoints. */
  private double statesWithVersions() {
    long every = learner.cadence().stateEvery() * plan.batch();
    long versions = Math.max(1, (every - 1) / scenario.slotsOfVersion() + 1);
    return scenario.versions() / versions;
  }

  private double checkpoints() {
    double byTime = DAY * 1000 / learner.cadence().checkpointInterval().toMillis();
    double bySlots = load.rate() * DAY / learner.cadence().checkpointSlots();
    boolean sooner = modelsOfHome() == 1
        && scenario.versions() / statesWithVersions() * scenario.slotsOfVersion()
            <= learner.cadence().checkpointSlots(); // what a version saves need not be saved again
    return byTime * scenario.homes() + (sooner ? 0 : bySlots);
  }

  /** Models that one trainer holds. */
  private double modelsOfHome() {
    return Math.max(1, (double) load.models() / scenario.homes());
  }

  /** Models that a checkpoint writes. */
  private double modelsOfHomeAtWork() {
    return Math.max(1, (double) scenario.modelsAtWork() / scenario.homes());
  }

  private TopicVolume learnerChangelog(String topic) {
    double state = bytes.statePages();
    double saved = checkpoints() * modelsOfHomeAtWork();
    double day =
        (statesWithVersions() + saved) * (state + LogBytes.MARKER) + saved * 2 * bytes.openPages();
    double newest = load.models() * (state + bytes.openPages());
    String more = evictions.any()
        ? "; " + FigureFormat.bytes(evicted()) + " a day are models that give way to others"
        : "";
    return compacted(topic, day + evicted(), newest, more);
  }

  /** What models write that give way to others. */
  private double evicted() {
    return evictions.states() * (bytes.sumPages() + bytes.redrawnPages() + bytes.openRemoved())
        + evictions.noises() * bytes.noisePages()
        + evictions.evicted() * bytes.openPages()
        + markers(evictions.evicted());
  }

  private TopicVolume headsChangelog(String topic) {
    double saved = checkpoints() * modelsOfHomeAtWork();
    double everyVersion = bytes.heads() + LogBytes.MARKER;
    double closes = learner.layout() == Layout.ROUNDS ? scenario.queries() : scenario.versions();
    double day = closes * everyVersion
        + (statesWithVersions() + saved) * bytes.index()
        + saved * (bytes.openRound() + everyVersion + overhead())
        + evictions.states() * (bytes.index() + overhead())
        + evictions.evicted() * (bytes.openRound() + mark())
        + markers(evictions.evicted());
    return compacted(topic, day, load.models() * (double) (bytes.index() + bytes.heads()));
  }

  /** What histories and heads name each other by, whenever histories are saved. */
  private long mark() {
    return learner.keepsHistories() ? LogBytes.BATCH + 2 * SMALL : 0;
  }

  private TopicVolume unitsChangelog(String topic) {
    double day = load.rate() * DAY * bytes.history()
        + (statesWithVersions() + checkpoints()) * (overhead() + SMALL)
        + evictions.evicted() * mark()
        + markers(evictions.evicted());
    return compacted(topic, day, (double) load.units() * bytes.history());
  }

  private TopicVolume compacted(String topic, double day, double newest) {
    return compacted(topic, day, newest, "");
  }

  private TopicVolume compacted(String topic, double day, double newest, String more) {
    double held = 3 * newest + 2.0 * SEGMENT * scenario.homes();
    return new TopicVolume(topic, day, held, CHANGELOG + more);
  }

  private TopicVolume folder() {
    double heads = load.models() * (double) (bytes.index() + bytes.heads() + bytes.openRound());
    double units = (double) load.units() * bytes.history();
    boolean onDisk = learner.modelIds().sharesPartitions();
    double model = bytes.statePages() + bytes.openPages();
    List<String> held = new ArrayList<>();
    if (onDisk) {
      held.add("models, " + FigureFormat.bytes(model)
          + " each with an open round, up to three times with pages that are stale");
    }
    if (learner.keepsHistories()) {
      held.add("histories of units, " + bytes.history() + " bytes each, which are never forgotten");
    }
    if (held.isEmpty()) {
      held.add("places in the log");
    }
    return new TopicVolume(
        ApplicationKeys.STATE_DIR.name(),
        0,
        (onDisk ? 3 * load.models() * model : 0)
            + 2 * (heads + units + bytesWaiting(scenario))
            + SEGMENT,
        "RocksDB: " + String.join("; ", held)
            + (onDisk && held.size() == 1 ? "" : "; twice while it compacts")
            + (onDisk ? "" : "; the models are in memory")
            + learner.labels().map(labels -> waiting(labels.patience())).orElse(""));
  }

  private String waiting(Duration wait) {
    return "; " + FigureFormat.bytes(bytesWaiting(scenario)) + " wait for their labels, events of "
        + hours(wait) + " with their ids, twice while it compacts";
  }

  private TopicVolume offsets() {
    double commit = 2.0 * load.partitions() * OFFSET + overhead(); // events, and a topic between
    return new TopicVolume(
        "__consumer_offsets",
        commits() * learnerThreads() * commit,
        2.0 * BROKER_SEGMENT,
        "the brokers': compacted, segments of 100 MiB");
  }

  /** An offset with its key. */
  private static final long OFFSET = 200;

  private TopicVolume transactions() {
    return new TopicVolume(
        "__transaction_state",
        commits() * learnerThreads() * TRANSACTION,
        2.0 * BROKER_SEGMENT,
        "the brokers': compacted, segments of 100 MiB");
  }

  /** A transaction's states, with the partitions into which it wrote. */
  private static final long TRANSACTION = 3 * 500;

  private int learnerThreads() {
    return scenario.service().threads();
  }
}
