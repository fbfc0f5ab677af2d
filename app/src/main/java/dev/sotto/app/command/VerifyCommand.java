package dev.sotto.app.command;

import dev.sotto.app.view.InsideWarning;
import dev.sotto.app.view.Progress;
import dev.sotto.app.view.VerificationDescription;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.replay.verify.PublishedOutputs;
import dev.sotto.replay.verify.PublishedRecordings;
import dev.sotto.replay.verify.PublishedTopics;
import dev.sotto.replay.verify.Verification;
import dev.sotto.replay.verify.VerificationResult;
import dev.sotto.replay.verify.VerificationResult.Outcome;
import dev.sotto.topology.settings.LearnerSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Replays a recording and compares it with what was published. */
@Command(
    name = "verify",
    description = {
      "Replay a recording with its configuration and its noise key, and compare every bit with"
          + " what was published: ledger, snapshots and metrics, from the cluster or from"
          + " recordings of those topics.",
      "Names the first round that differs, and its first difference by field.",
      "Output and exit code are for inside the trust boundary, unless you recorded the topic"
          + " yourself.",
      "Ends with 16 where something differs, or where the recording does not reach over all of"
          + " the ledger."
    })
public final class VerifyCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Mixin
  private LearnerOptions options;

  @Mixin
  private RecordingInput input;

  @Mixin
  private OrderInput order;

  @Option(
      names = "--ledger",
      paramLabel = "FILE",
      description = "A recording of <app>.ledger, from its beginning on, instead of the cluster's.")
  private Path ledger;

  @Option(
      names = "--snapshots",
      paramLabel = "FILE",
      description =
          "A recording of <app>.snapshots, with --ledger. Without it the digests in the ledger"
              + " are compared.")
  private Path snapshots;

  @Option(
      names = "--metrics",
      paramLabel = "FILE",
      description = "A recording of <app>.metrics, with --ledger.")
  private Path metrics;

  @Option(
      names = "--allow-shorter",
      description = "End with 0 also where the recording ends before the ledger does.")
  private boolean allowShorter;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    if (ledger == null && (snapshots != null || metrics != null)) {
      throw new ParameterException(
          spec.commandLine(), "--snapshots and --metrics need --ledger, a recording of the ledger");
    }
    ConfigSource source = options.source();
    SottoConfig config =
        SottoConfig.load(ledger == null ? source : source.withEmbedded(true)); // needs no broker
    LearnerSettings learner = config.learner();
    VerificationResult result;
    try (Recording recording = open(learner);
        Recording recordedOrder = order.open(input.file(), learner)) {
      result = ledger == null
          ? online(config, recording, recordedOrder)
          : offline(learner, recording, recordedOrder);
    }
    print(result);
    return code(result.outcome()).code();
  }

  private Recording open(LearnerSettings learner) {
    return input.open(learner.encryption());
  }

  private VerificationResult online(SottoConfig config, Recording recording, Recording ordered) {
    PublishedOutputs published =
        new PublishedTopics(config.service().clients(), config.learner().app());
    return run(new Verification(config.learner(), recording, published).order(ordered), recording);
  }

  private VerificationResult offline(
      LearnerSettings learner, Recording recording, Recording ordered) {
    try (Recording entries = published(ledger, learner);
        Recording versions = snapshots == null ? null : published(snapshots, learner);
        Recording figures = metrics == null ? null : published(metrics, learner)) {
      PublishedOutputs published = new PublishedRecordings(
          learner.app(), entries, Optional.ofNullable(versions), Optional.ofNullable(figures));
      return run(new Verification(learner, recording, published).order(ordered), recording);
    }
  }

  private static Recording published(Path file, LearnerSettings learner) {
    return Recordings.open(file, RecordingOptions.defaults().with(learner.encryption()));
  }

  private static VerificationResult run(Verification verification, Recording recording) {
    long most = recording.header().records().orElse(-1);
    try (Progress progress = Progress.onTerminal()) {
      return verification
          .progress(done -> progress.at("verifying", done, most, "records"))
          .run();
    }
  }

  private ExitCode code(Outcome outcome) {
    boolean fine = outcome == Outcome.EQUAL || outcome == Outcome.SHORTER && allowShorter;
    return fine ? ExitCode.OK : ExitCode.DIFFERENT;
  }

  private void print(VerificationResult result) {
    PrintWriter out = spec.commandLine().getOut();
    InsideWarning.print(spec, json, InsideWarning.OF_OUTCOMES);
    if (VerificationDescription.isInside(result)) {
      InsideWarning.print(spec, json, VerificationDescription.WARNING);
    }
    if (json) {
      out.println(JsonRenderer.of(VerificationDescription.of(result)));
    } else {
      out.print(TextRenderer.of(VerificationDescription.of(result)));
    }
    out.flush();
  }
}
