package dev.sotto.app.command;

import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.volume.VolumeScenario;
import dev.sotto.evaluation.volume.VolumeScenario.Load;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.ModelIdRule;
import picocli.CommandLine.Option;

/** The events for which volumes are printed. */
final class LoadOptions {
  /** Of a topic over which one model learns, unless told. */
  private static final int PARTITIONS = 4;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Events a second, over all partitions. Default: ${DEFAULT-VALUE}.")
  private double rate;

  @Option(
      names = "--record-bytes",
      paramLabel = "N",
      defaultValue = "500",
      description = "Bytes of an event. Default: ${DEFAULT-VALUE}.")
  private long recordBytes;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description = "Partitions of the event topic. Default: " + PARTITIONS + ", or 1 where there"
          + " must be one.")
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
      defaultValue = "1000000",
      description =
          "Units whose histories are kept, of all models together. Default:" + " ${DEFAULT-VALUE}.")
  private long units;

  /** With a configuration. */
  VolumeScenario of(SottoConfig config) {
    ModelIdRule.Source ids = config.learner().modelIds().source();
    boolean one = config.learner().layout() == Layout.DIRECT && ids == ModelIdRule.Source.CONSTANT;
    int parts = partitions != null ? partitions : one ? 1 : PARTITIONS;
    long learning = models != null ? models : VolumeScenario.usualModels(config.learner(), parts);
    try {
      long kept = config.learner().keepsHistories() ? units : 0;
      return new VolumeScenario(
          config.learner(), config.service(), new Load(rate, recordBytes, parts, learning, kept));
    } catch (IllegalArgumentException wrong) {
      throw new SottoException(
          FailureKind.USAGE,
          "--rate, --record-bytes, --partitions, --models and --units do not fit: "
              + wrong.getMessage(),
          wrong);
    }
  }
}
