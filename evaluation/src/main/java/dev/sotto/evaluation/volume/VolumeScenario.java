package dev.sotto.evaluation.volume;

import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.topology.runtime.Deployment;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelMemory;
import dev.sotto.topology.settings.ServiceSettings;
import java.util.Objects;

/**
 * A learner and the events that come to it.
 *
 * @param learner what learns
 * @param service where it runs
 * @param load what comes
 */
public record VolumeScenario(LearnerSettings learner, ServiceSettings service, Load load) {
  /** Seconds in a day. */
  static final double DAY = 86_400;

  public VolumeScenario {
    Objects.requireNonNull(learner, "learner");
    Objects.requireNonNull(service, "service");
    Objects.requireNonNull(load, "load");
  }

  /**
   * Events as they come.
   *
   * @param rate events in a second, over all partitions; positive
   * @param recordBytes of an event with its key, as the topic holds it; at least 1
   * @param partitions of the event topic, at least 1
   * @param models that learn, each candidate for itself, at least 1; each gets an equal share of
   *     the events, candidates the same ones
   * @param units that are told apart, of all models together; 0 where no histories are kept
   */
  public record Load(double rate, long recordBytes, int partitions, long models, long units) {
    public Load {
      if (!(rate > 0) || rate == Double.POSITIVE_INFINITY) {
        throw new IllegalArgumentException("rate must be positive and finite, but was " + rate);
      }
      if (recordBytes < 1 || partitions < 1 || models < 1 || units < 0) {
        throw new IllegalArgumentException("recordBytes, partitions and models must be at least 1"
            + " and units at least 0, but were " + recordBytes + ", " + partitions + ", " + models
            + ", " + units);
      }
    }
  }

  /**
   * How many models learn, as far as the configuration says: of ids that come with the events, a
   * hundred.
   */
  public static long usualModels(LearnerSettings learner, int partitions) {
    long ids = switch (learner.modelIds().source()) {
      case CONSTANT -> 1;
      case PARTITION -> partitions;
      case KEY, HEADER -> 100;
    };
    return ids * learner.run().candidates().number();
  }

  /** What is learned; of several candidates, the one with most weights. */
  public Plan plan() {
    return learner.largestPlan();
  }

  Deployment deployment() {
    return Deployment.of(learner, service);
  }

  /** Events of one model in a second. */
  public double modelRate() {
    return load.rate() * learner.run().candidates().number() / load.models();
  }

  /** Slots of a version, unless log time ends it earlier. */
  public long slotsOfVersion() {
    return plan().learning().versions().rounds(plan().batch()) * plan().batch();
  }

  /** Seconds from one version of a model to the next. */
  double secondsOfVersion() {
    VersionSchedule versions = plan().learning().versions();
    double bySlots = slotsOfVersion() / modelRate();
    return versions.needsLogTime(plan().batch())
        ? Math.min(bySlots, Math.max(versions.interval() / 1000.0, plan().batch() / modelRate()))
        : bySlots;
  }

  /** Versions of all models in a day. */
  double versions() {
    return load.models() * DAY / secondsOfVersion();
  }

  /** Versions of all models in the first year, in which they may become rarer. */
  double versionsOfYear() {
    VersionSchedule versions = plan().learning().versions();
    boolean even = versions.needsLogTime(plan().batch())
        || learner.run().candidates().number() > 1
        || plan().learnsFromBlocks();
    if (even) {
      return 365 * versions();
    }
    double rounds = 365 * DAY * modelRate() / plan().batch();
    GenerationSchedule generations = plan().generations(); // the end of one ends a version
    double least =
        generations.kind() == GenerationSchedule.Kind.CONSTANT ? rounds / generations.first() : 0;
    return load.models() * Math.max(least, versions.versions(plan().batch(), rounds));
  }

  /** Rounds of all models in a day; where rounds are blocks, their queries. */
  double queries() {
    return load.rate() * DAY / plan().batch() * plan().queriesPerRound();
  }

  /** Partitions in which models are at home, each of which has a trainer of its own. */
  int homes() {
    return learner.layout().homes(load.partitions());
  }

  /** Models that are on the heap at once, of all homes together. */
  long modelsAtWork() {
    long room = learner.cadence().modelBytes() / homes();
    return Math.min(load.models(), homes() * ModelMemory.room(room, ModelMemory.bytes(plan())));
  }

  /** Seconds between commits. */
  double commitInterval() {
    String millis = deployment().streams().get("commit.interval.ms");
    return Math.max(1, Long.parseLong(millis)) / 1000.0;
  }

  /** Commits of one thread in a day: with parts at every close and every part as well. */
  double commits() {
    double closes = learner.layout().sumsParts() ? queries() * (load.partitions() + 1) : 0;
    return DAY / commitInterval() + closes;
  }

  /**
   * Markers in the partitions that get a record with some versions: one commit may hold several.
   */
  double markers(double versions) {
    return LogBytes.MARKER * Math.min(versions, commits() * homes());
  }

  /** Models that a checkpoint writes. */
  double modelsOfHomeAtWork() {
    return Math.max(1, (double) modelsAtWork() / homes());
  }
}
