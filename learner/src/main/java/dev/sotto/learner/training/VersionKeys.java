package dev.sotto.learner.training;

import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.Settings;
import java.util.List;

/** The settings of {@link VersionSchedule}. */
public final class VersionKeys {
  public static final ConfigKey<Long> SLOTS = Optimizers.ofRounds(ConfigKey.of(
          "release.every.slots",
          Domain.between(1, 1L << 40),
          "A version (one snapshot and one ledger entry) is published with the first round at"
              + " whose close this number of slots has been filled since the last version. At"
              + " batch.size or below, every round is a version. Unless given, 4096, and in a"
              + " larger model as many as it has weights. Then versions become rarer after 262,144"
              + " of them (not with candidates or release.interval.ms, nor in layout rounds).")
      .optional());

  public static final ConfigKey<Long> INTERVAL = Optimizers.ofRounds(ConfigKey.of(
          "release.interval.ms",
          Domain.between(1, 1L << 40),
          "Or with the first round at whose close this log time has passed since the last"
              + " version, whichever comes first. Log time is the latest broker append time so far:"
              + " of the model's records in layout direct, which needs"
              + " message.timestamp.type=LogAppendTime on the event topic; of their announcements"
              + " in layout ordered. Layout rounds refuses it.")
      .optional());

  /** {@link #SLOTS} of a small model, unless given. */
  public static final long LEAST_SLOTS = 4096;

  /** In the order of the manual. */
  public static final List<ConfigKey<?>> ALL = List.of(SLOTS, INTERVAL);

  private VersionKeys() {}

  /** The schedule of a configuration whose model has a number of weights. */
  public static VersionSchedule read(Settings settings, int dimension) {
    return new VersionSchedule(
        settings.find(SLOTS).orElseGet(() -> usualSlots(dimension)),
        settings.find(INTERVAL).orElse(0L));
  }

  /** The same, of versions that become rarer in a long run where they are the usual ones. */
  public static VersionSchedule thinned(Settings settings, int dimension) {
    VersionSchedule schedule = read(settings, dimension);
    if (schedule.interval() > 0) {
      return schedule; // whoever states a time between versions has chosen how many there are
    }
    return new VersionSchedule(
        schedule.slots(), schedule.interval(), VersionThinning.usual(usualSlots(dimension)));
  }

  /**
   * {@link #SLOTS} unless given: a slot for each weight, which takes 8 bytes of a snapshot, so that
   * what is published grows with the events and not with the model.
   */
  public static long usualSlots(int dimension) {
    return Math.max(LEAST_SLOTS, dimension);
  }
}
