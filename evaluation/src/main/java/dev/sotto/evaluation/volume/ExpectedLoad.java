package dev.sotto.evaluation.volume;

import dev.sotto.evaluation.volume.VolumeScenario.Load;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Events as somebody expects them. It goes before what was observed, and that before what is
 * assumed of any stream.
 *
 * @param rate events in a second, over all partitions
 * @param recordBytes of an event with its key
 * @param partitions of the event topic
 * @param models that learn
 * @param units that are told apart
 */
public record ExpectedLoad(
    OptionalDouble rate,
    OptionalLong recordBytes,
    OptionalInt partitions,
    OptionalLong models,
    OptionalLong units) {
  /** Events a second where nobody knows. */
  public static final String RATE = "1000";

  /** Bytes of an event where nobody knows. */
  public static final String RECORD_BYTES = "500";

  /** Units where nobody says: how many there are cannot be seen. */
  public static final String UNITS = "1000000";

  /** Of a topic over which one model learns. */
  public static final int PARTITIONS = 4;

  /** Nothing is expected. */
  public static final ExpectedLoad UNKNOWN = new ExpectedLoad(
      OptionalDouble.empty(),
      OptionalLong.empty(),
      OptionalInt.empty(),
      OptionalLong.empty(),
      OptionalLong.empty());

  public ExpectedLoad {
    new Load(
        rate.orElse(1),
        recordBytes.orElse(1),
        partitions.orElse(1),
        models.orElse(1),
        units.orElse(0));
  }

  /** Where it says nothing, what another says. */
  public ExpectedLoad or(ExpectedLoad observed) {
    return new ExpectedLoad(
        rate.isPresent() ? rate : observed.rate,
        recordBytes.isPresent() ? recordBytes : observed.recordBytes,
        partitions.isPresent() ? partitions : observed.partitions,
        models.isPresent() ? models : observed.models,
        units.isPresent() ? units : observed.units);
  }

  /** For a learner, with what is assumed where it says nothing. */
  public Load of(LearnerSettings learner) {
    int parts = partitions.orElse(learner.layout().mostPartitions(learner, PARTITIONS));
    return new Load(
        rate.orElse(Double.parseDouble(RATE)),
        recordBytes.orElse(Long.parseLong(RECORD_BYTES)),
        parts,
        models.orElseGet(() -> VolumeScenario.usualModels(learner, parts)),
        learner.keepsHistories() ? units.orElse(Long.parseLong(UNITS)) : 0);
  }
}
