package dev.sotto.evaluation.volume;

import static dev.sotto.evaluation.volume.VolumeScenario.DAY;

import dev.sotto.evaluation.volume.VolumeScenario.Load;
import dev.sotto.learner.description.FigureFormat;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.Names;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** Bytes of the topics that a learner writes for others, and between its own processors. */
final class TopicVolumes {
  private static final double WEEK = 7 * DAY;
  private static final long SMALL_SEGMENT = 16L << 20;
  private static final long LETTERS = 1L << 30;
  private static final String FOR_EVER = "not bounded: ";

  private final VolumeScenario scenario;
  private final Plan plan;
  private final Load load;
  private final RecordBytes bytes;
  private final Map<String, Function<String, TopicVolume>> volumes = new HashMap<>();

  TopicVolumes(VolumeScenario scenario, RecordBytes bytes) {
    this.scenario = scenario;
    this.plan = scenario.plan();
    this.load = scenario.load();
    this.bytes = bytes;
    String app = scenario.learner().app();
    volumes.put(Names.snapshots(app), this::snapshots);
    volumes.put(Names.registryCopy(Names.snapshots(app)), this::snapshots);
    volumes.put(Names.ledger(app), this::ledger);
    volumes.put(Names.registryCopy(Names.ledger(app)), this::ledger);
    volumes.put(Names.metrics(app), this::metrics);
    volumes.put(Names.deadLetters(app), this::letters);
    volumes.put(Names.start(app), this::start);
    volumes.put(Names.order(app), this::order);
    volumes.put(Names.labelled(app), this::labelled);
    volumes.put(Names.control(app), this::control);
    volumes.put(Names.sums(app), this::sums);
  }

  /**
   * The volume of a topic.
   *
   * @throws IllegalStateException if the learner does not write it
   */
  TopicVolume of(String topic) {
    Function<String, TopicVolume> volume = volumes.get(topic);
    if (volume == null) {
      throw new IllegalStateException("no volume is known of topic " + topic);
    }
    return volume.apply(topic);
  }

  private TopicVolume snapshots(String topic) {
    double day = scenario.versions() * bytes.snapshot() + scenario.markers(scenario.versions());
    Duration history = scenario.service().historyHorizon();
    double held = day * history.toMillis() / 1000 / DAY
        + 2.0 * load.models() * bytes.snapshot()
        + 2.0 * LogBytes.SEGMENT * scenario.homes();
    return new TopicVolume(
        topic,
        day,
        held,
        "compacted: every version for " + hours(history) + " (" + ApplicationKeys.HISTORY
            + "), then the newest of each model");
  }

  /** A span of time in words. */
  static String hours(Duration span) {
    return span.toMillis() % 3_600_000 == 0 ? span.toHours() + " h" : span.toMillis() + " ms";
  }

  private double ledgerOfDay() {
    return scenario.versions() * bytes.entry() + scenario.markers(scenario.versions());
  }

  /** Bytes of the ledger's first year, in which versions may become rarer. */
  double ledgerOfYear() {
    return ledgerOfDay() * scenario.versionsOfYear() / scenario.versions();
  }

  private TopicVolume ledger(String topic) {
    double day = ledgerOfDay();
    double year = ledgerOfYear();
    return new TopicVolume(
        topic,
        Math.min(day, year),
        Double.POSITIVE_INFINITY,
        FOR_EVER + "one entry a version, the only account of what has been spent; "
            + FigureFormat.bytes(year) + " in the first year"
            + (year < 364 * day ? ", since versions become rarer" : ""));
  }

  private TopicVolume metrics(String topic) {
    double windows =
        Math.min(scenario.versions(), scenario.queries() / plan.metrics().window());
    double day = windows * bytes.metrics() + scenario.markers(windows);
    return new TopicVolume(topic, day, day * 2 * WEEK / DAY, "7 days, and a segment of as long");
  }

  private TopicVolume letters(String topic) {
    double held = load.partitions() * (double) (LETTERS + LogBytes.SEGMENT);
    long each = LogBytes.BATCH / 2
        + LogBytes.record(0, Math.min(load.recordBytes(), 512 << 10))
        + LETTER_HEADERS;
    return new TopicVolume(
        topic,
        0,
        Math.min(held, 7 * load.rate() * DAY * each + 2 * LogBytes.SEGMENT * load.partitions()),
        "7 days, 1 GiB in each partition; " + each + " bytes for each event that cannot be read");
  }

  /** Reason, sentence, topic, place and lengths. */
  private static final long LETTER_HEADERS = 350;

  private TopicVolume start(String topic) {
    double once = (double) Double.BYTES * plan.dimension()
        + bytes.manifestValue()
        + 2 * bytes.entryValue()
        + LogBytes.overhead();
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
    double day = load.rate() * DAY * (load.recordBytes() + LogBytes.LABEL)
        + load.partitions() * scenario.commits() * LogBytes.overhead();
    return new TopicVolume(topic, day, Double.NaN, "kept as long as the events");
  }

  private TopicVolume control(String topic) {
    int points = plan.block().sampling().points();
    double ranges = 3.0 * Double.BYTES * plan.ranges().beginning().size();
    double point = (double) Double.BYTES * plan.dimension() * points + ranges;
    long pieces = (long) point / (512 << 10) + 1;
    double round = point + (pieces + 1) * (LogBytes.BATCH + 4 * LogBytes.SMALL) + LogBytes.MARKER;
    return new TopicVolume(
        topic,
        scenario.queries() * load.partitions() * round,
        load.partitions() * (16 * round + 2 * SMALL_SEGMENT),
        "compacted: the newest 8 rounds");
  }

  private TopicVolume sums(String topic) {
    int points = plan.block().sampling().points();
    double sum = (double) Double.BYTES * plan.dimension() * points + 4 * LogBytes.SMALL;
    long pieces = (long) sum / (512 << 10) + 1;
    double part = sum + pieces * (LogBytes.BATCH + 4 * LogBytes.SMALL) + LogBytes.MARKER;
    return new TopicVolume(
        topic,
        scenario.queries() * load.partitions() * part,
        load.partitions() * 16 * part + 2 * SMALL_SEGMENT,
        "compacted: the newest of every partition");
  }
}
