package dev.sotto.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.config.ConfigSource;
import dev.sotto.app.config.SottoConfig;
import dev.sotto.app.operations.RecordedTopic;
import dev.sotto.app.view.Bars;
import dev.sotto.app.view.VerdictViews;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.replay.recording.Recordings;
import dev.sotto.replay.verify.Published;
import dev.sotto.replay.verify.PublishedRecordings;
import dev.sotto.replay.verify.PublishedTopics;
import dev.sotto.replay.verify.Verdict;
import dev.sotto.replay.verify.Verdict.Outcome;
import dev.sotto.replay.verify.Verification;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.LearnerSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Replays a recording and compares it with what was published. */
@Command(
    name = "verify",
    description = {
      "Replay a recording with its configuration and its noise key, and compare every bit with what was published: ledger,"
          + " snapshots and metrics, from the cluster or from recordings of those topics.",
      "Names the first round that differs, and why.",
      "Ends with 16 where something differs, or where the recording does not reach over all of the ledger."
    })
public final class VerifyCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Mixin
  private ConfigOptions options;

  @Mixin
  private RecordingInput input;

  @Option(
      names = "--ledger",
      paramLabel = "FILE",
      description = "A recording of <app>.ledger, from its beginning on, instead of the cluster's.")
  private Path ledger;

  @Option(
      names = "--snapshots",
      paramLabel = "FILE",
      description =
          "A recording of <app>.snapshots, with --ledger. Without it the digests in the ledger are compared.")
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
  public Integer call() throws JsonProcessingException {
    if (ledger == null && (snapshots != null || metrics != null)) {
      throw new ParameterException(
          spec.commandLine(), "--snapshots and --metrics need --ledger, a recording of the ledger");
    }
    ConfigSource source = options.source(System.getenv());
    SottoConfig config =
        SottoConfig.load(ledger == null ? source : source.withEmbedded(true)); // needs no broker
    LearnerSettings learner = config.learner();
    Verdict verdict;
    try (Recording recording = open(learner)) {
      verdict = ledger == null ? online(config, recording) : offline(learner, recording);
    }
    print(verdict);
    return code(verdict.outcome()).code();
  }

  private Recording open(LearnerSettings learner) {
    return input.open(learner.encryption());
  }

  private Verdict online(SottoConfig config, Recording recording) {
    RecordedTopic now = RecordedTopic.of(config.service(), recording.header().topic());
    Published published =
        new PublishedTopics(config.service().clients(), config.learner().app(), now.clusterId());
    return run(
        new Verification(config.learner(), recording, published).topicId(now.id()), recording);
  }

  private Verdict offline(LearnerSettings learner, Recording recording) {
    try (Recording entries = published(ledger, learner);
        Recording versions = snapshots == null ? null : published(snapshots, learner);
        Recording figures = metrics == null ? null : published(metrics, learner)) {
      Published published = new PublishedRecordings(
          learner.app(), entries, Optional.ofNullable(versions), Optional.ofNullable(figures));
      return run(new Verification(learner, recording, published), recording);
    }
  }

  private static Recording published(Path file, LearnerSettings learner) {
    return Recordings.open(file, RecordingOptions.defaults().with(learner.encryption()));
  }

  private static Verdict run(Verification verification, Recording recording) {
    long most = recording.header().records().orElse(-1);
    try (Bars bars = new Bars()) {
      return verification
          .progress(done -> bars.at("verifying", done, most, "records"))
          .run();
    }
  }

  private ExitCode code(Outcome outcome) {
    boolean fine = outcome == Outcome.EQUAL || outcome == Outcome.SHORTER && allowShorter;
    return fine ? ExitCode.OK : ExitCode.DIFFERENT;
  }

  private void print(Verdict verdict) throws JsonProcessingException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter errors = spec.commandLine().getErr();
    if (VerdictViews.isInside(verdict)) {
      (json ? errors : out)
          .println(Ansi.AUTO.new Text("@|bold,red " + VerdictViews.WARNING + "|@"));
      errors.flush();
    }
    if (json) {
      out.println(new ObjectMapper().writeValueAsString(VerdictViews.json(verdict)));
    } else {
      VerdictViews.lines(verdict).forEach(out::println);
    }
    out.flush();
  }
}
