package dev.sotto.app.command;

import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.volume.ExpectedLoad;
import dev.sotto.evaluation.volume.VolumeScenario;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import picocli.CommandLine.Option;

/** The events for which volumes are printed: a picocli mixin. */
final class LoadOptions {
  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "Events a second, over all partitions. Default: the present rate, where the topic is"
              + " read, else " + ExpectedLoad.RATE + ".")
  private Double rate;

  @Option(
      names = "--record-bytes",
      paramLabel = "N",
      description = "Bytes of an event, as is publicly known: the size of records is never looked"
          + " at. Default: " + ExpectedLoad.RECORD_BYTES + ".")
  private Long recordBytes;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description = "Partitions of the event topic. Default: as it has, where it is read, else "
          + ExpectedLoad.PARTITIONS + ", or 1 where there must be one.")
  private Integer partitions;

  @Option(
      names = "--models",
      paramLabel = "N",
      description = "Models that learn. Default: as many as the layout says, 100 where their ids"
          + " come with the events.")
  private Long models;

  @Option(
      names = "--units",
      paramLabel = "N",
      description = "Units whose histories are kept, of all models together. Default: "
          + ExpectedLoad.UNITS + ".")
  private Long units;

  /** What is expected. */
  ExpectedLoad expected() {
    try {
      return new ExpectedLoad(
          rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate),
          recordBytes == null ? OptionalLong.empty() : OptionalLong.of(recordBytes),
          partitions == null ? OptionalInt.empty() : OptionalInt.of(partitions),
          models == null ? OptionalLong.empty() : OptionalLong.of(models),
          units == null ? OptionalLong.empty() : OptionalLong.of(units));
    } catch (IllegalArgumentException wrong) {
      throw new SottoException(
          FailureKind.USAGE,
          "--rate, --record-bytes, --partitions, --models and --units do not fit: "
              + wrong.getMessage(),
          wrong);
    }
  }

  /** With a configuration, and nothing observed. */
  VolumeScenario of(SottoConfig config) {
    return new VolumeScenario(config.learner(), config.service(), expected().of(config.learner()));
  }
}
