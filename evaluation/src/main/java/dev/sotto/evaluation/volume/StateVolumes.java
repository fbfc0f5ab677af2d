package dev.sotto.evaluation.volume;

import static dev.sotto.evaluation.volume.VolumeScenario.DAY;

import dev.sotto.evaluation.volume.VolumeScenario.Load;
import dev.sotto.learner.description.FigureFormat;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Bytes of a learner's state: the changelogs of its stores, and its folder. */
final class StateVolumes {
  private static final String CHANGELOG = "compacted: up to three times the state";

  /**
   * What a join writes for an event beside it, where records come one by one: where it has come,
   * the state of the id, queues. Less than half of it where many come together.
   */
  private static final long JOIN_WRITES = 1200;

  private final VolumeScenario scenario;
  private final LearnerSettings learner;
  private final Load load;
  private final RecordBytes bytes;
  private final Evictions evictions;
  private final Map<String, Function<String, TopicVolume>> changelogs;

  StateVolumes(VolumeScenario scenario, RecordBytes bytes) {
    this.scenario = scenario;
    this.learner = scenario.learner();
    this.load = scenario.load();
    this.bytes = bytes;
    this.evictions = Evictions.of(scenario);
    String app = learner.app();
    this.changelogs = Map.of(
        Names.changelog(app, Names.LEARNER), this::learnerChangelog,
        Names.changelog(app, Names.HEADS), this::headsChangelog,
        Names.changelog(app, Names.UNITS), this::unitsChangelog,
        Names.changelog(app, Names.JOINS), this::joinsChangelog);
  }

  /**
   * The volume of a changelog.
   *
   * @throws IllegalStateException if none of the learner's stores has it
   */
  TopicVolume of(String topic) {
    Function<String, TopicVolume> volume = changelogs.get(topic);
    if (volume == null) {
      throw new IllegalStateException("no volume is known of changelog " + topic);
    }
    return volume.apply(topic);
  }

  /** The event and its label while they wait, and their id for two waits. */
  private TopicVolume joinsChangelog(String topic) {
    double each = load.recordBytes() + LogBytes.LABEL;
    double day = load.rate() * DAY * (each + JOIN_WRITES)
        + load.partitions() * scenario.commits() * LogBytes.overhead();
    return compacted(topic, day, VolumeForecast.bytesWaiting(scenario));
  }

  /** States of all models that are written in a day: with versions, and at checkpoints. */
  private double statesWithVersions() {
    long every = learner.cadence().stateEvery() * scenario.plan().batch();
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

  private TopicVolume learnerChangelog(String topic) {
    double state = bytes.statePages();
    double saved = checkpoints() * scenario.modelsOfHomeAtWork();
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
        + scenario.markers(evictions.evicted());
  }

  private TopicVolume headsChangelog(String topic) {
    double saved = checkpoints() * scenario.modelsOfHomeAtWork();
    double everyVersion = bytes.heads() + LogBytes.MARKER;
    double closes = learner.layout().sumsParts() ? scenario.queries() : scenario.versions();
    double day = closes * everyVersion
        + (statesWithVersions() + saved) * bytes.index()
        + saved * (bytes.openRound() + everyVersion + LogBytes.overhead())
        + evictions.states() * (bytes.index() + LogBytes.overhead())
        + evictions.evicted() * (bytes.openRound() + mark())
        + scenario.markers(evictions.evicted());
    return compacted(topic, day, load.models() * (double) (bytes.index() + bytes.heads()));
  }

  /** What histories and heads name each other by, whenever histories are saved. */
  private long mark() {
    return learner.keepsHistories() ? LogBytes.BATCH + 2 * LogBytes.SMALL : 0;
  }

  private TopicVolume unitsChangelog(String topic) {
    double day = load.rate() * DAY * bytes.history()
        + (statesWithVersions() + checkpoints()) * (LogBytes.overhead() + LogBytes.SMALL)
        + evictions.evicted() * mark()
        + scenario.markers(evictions.evicted());
    return compacted(topic, day, (double) load.units() * bytes.history());
  }

  private TopicVolume compacted(String topic, double day, double newest) {
    return compacted(topic, day, newest, "");
  }

  private TopicVolume compacted(String topic, double day, double newest, String more) {
    double held = 3 * newest + 2.0 * LogBytes.SEGMENT * scenario.homes();
    return new TopicVolume(topic, day, held, CHANGELOG + more);
  }

  /** The folder of an instance's stores. */
  TopicVolume folder() {
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
            + 2 * (heads + units + VolumeForecast.bytesWaiting(scenario))
            + LogBytes.SEGMENT,
        "RocksDB: " + String.join("; ", held)
            + (onDisk && held.size() == 1 ? "" : "; twice while it compacts")
            + (onDisk ? "" : "; the models are in memory")
            + learner.labels().map(labels -> waiting(labels.patience())).orElse(""));
  }

  private String waiting(Duration wait) {
    return "; " + FigureFormat.bytes(VolumeForecast.bytesWaiting(scenario))
        + " wait for their labels, events of " + TopicVolumes.hours(wait)
        + " with their ids, twice while it compacts";
  }
}
