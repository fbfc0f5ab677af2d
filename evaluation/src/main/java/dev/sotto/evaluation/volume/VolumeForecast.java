package dev.sotto.evaluation.volume;

import static dev.sotto.evaluation.volume.VolumeScenario.DAY;

import dev.sotto.evaluation.volume.VolumeScenario.Load;
import dev.sotto.topology.registry.RegistryCopies;
import dev.sotto.topology.runtime.Deployment;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes that a learner writes in a day, and ever holds, in each of its topics and folders. Every
 * figure is an upper bound for events that come evenly, their models mixed ({@link Evictions});
 * sizes of records are those of the serializers.
 */
public final class VolumeForecast {
  private static final long BROKER_SEGMENT = 100L << 20;

  private final VolumeScenario scenario;
  private final Load load;

  private VolumeForecast(VolumeScenario scenario) {
    this.scenario = scenario;
    this.load = scenario.load();
  }

  /** One line for each topic of the learner, for its folder, and for the brokers' own topics. */
  public static List<TopicVolume> of(VolumeScenario scenario) {
    VolumeForecast forecast = new VolumeForecast(scenario);
    RecordBytes bytes = RecordBytes.of(scenario);
    TopicVolumes topics = new TopicVolumes(scenario, bytes);
    StateVolumes state = new StateVolumes(scenario, bytes);
    Deployment deployment = scenario.deployment();
    List<TopicVolume> all = new ArrayList<>();
    all.add(forecast.events(deployment.events().topic()));
    deployment.labels().ifPresent(each -> all.add(forecast.labels(each.topic())));
    deployment.topics().forEach(each -> all.add(topics.of(each.topic())));
    deployment.changelogs().forEach(each -> all.add(state.of(each.topic())));
    all.add(state.folder());
    all.add(forecast.offsets());
    all.add(forecast.transactions());
    return List.copyOf(all);
  }

  /**
   * Bytes that one transaction writes at most: a version of a model with its state, or a checkpoint
   * of all models of a trainer, whatever is more.
   */
  public static double bytesOfTransaction(VolumeScenario scenario) {
    RecordBytes bytes = RecordBytes.of(scenario);
    double state = bytes.statePages() + bytes.index() + bytes.heads();
    double version = state
        + written(scenario, RegistryCopies.Kind.SNAPSHOTS) * bytes.snapshot()
        + written(scenario, RegistryCopies.Kind.LEDGER) * bytes.entry()
        + bytes.metrics();
    return Math.max(
        version, scenario.modelsOfHomeAtWork() * (state + bytes.openPages() + bytes.openRound()));
  }

  /** Bytes of the ledger's first year, of all models. */
  public static double ledgerOfYear(VolumeScenario scenario) {
    return new TopicVolumes(scenario, RecordBytes.of(scenario)).ledgerOfYear();
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
    double each = scenario.load().recordBytes() + LogBytes.LABEL + 2 * ID;
    return scenario
        .learner()
        .labels()
        .map(labels -> scenario.load().rate() * labels.patience().toMillis() / 1000.0 * each)
        .orElse(0.0);
  }

  /** What is remembered of an id. */
  private static final long ID = 160;

  private TopicVolume events(String topic) {
    double day = load.rate() * load.recordBytes() * DAY;
    return new TopicVolume(topic, day, Double.NaN, "yours: its retention.ms and retention.bytes");
  }

  private TopicVolume labels(String topic) {
    double day = load.rate() * LogBytes.LABEL * DAY;
    return new TopicVolume(
        topic, day, Double.NaN, "yours: of 130 bytes, if every event gets one label");
  }

  private TopicVolume offsets() {
    double commit =
        2.0 * load.partitions() * OFFSET + LogBytes.overhead(); // events, and a topic between
    return new TopicVolume(
        "__consumer_offsets",
        scenario.commits() * learnerThreads() * commit,
        2.0 * BROKER_SEGMENT,
        "the brokers': compacted, segments of 100 MiB");
  }

  /** An offset with its key. */
  private static final long OFFSET = 200;

  private TopicVolume transactions() {
    return new TopicVolume(
        "__transaction_state",
        scenario.commits() * learnerThreads() * TRANSACTION,
        2.0 * BROKER_SEGMENT,
        "the brokers': compacted, segments of 100 MiB");
  }

  /** A transaction's states, with the partitions into which it wrote. */
  private static final long TRANSACTION = 3 * 500;

  private int learnerThreads() {
    return scenario.service().threads();
  }
}
