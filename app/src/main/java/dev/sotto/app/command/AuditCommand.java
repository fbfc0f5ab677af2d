package dev.sotto.app.command;

import dev.sotto.app.demo.DemoCase;
import dev.sotto.app.demo.DemoPlan;
import dev.sotto.app.view.Progress;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.audit.AffordableRounds;
import dev.sotto.evaluation.audit.Audit;
import dev.sotto.evaluation.audit.AuditEffort;
import dev.sotto.evaluation.audit.AuditResult;
import dev.sotto.evaluation.audit.canary.BackgroundExamples;
import dev.sotto.evaluation.audit.canary.BackgroundFile;
import dev.sotto.evaluation.audit.canary.CanarySamples;
import dev.sotto.evaluation.audit.canary.RangeAudit;
import dev.sotto.evaluation.audit.neighbour.NeighbourAudit;
import dev.sotto.evaluation.audit.noise.ReleaseSchedule;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.CandidateLearners;
import dev.sotto.evaluation.audit.subject.ProductLearner;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.NumpyFile;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.description.FigureFormat;
import dev.sotto.learner.description.GuaranteeFigures;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.learner.training.Plan;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.settings.CandidateModels;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Tries to break the guarantee, and tells how far it got. */
@Command(
    name = "audit",
    description = {
      "Try to break the guarantee of a configuration: measure its noise, plant canaries, and"
          + " prove a lower bound on epsilon beside the ledger's upper bound. docs/audit.md"
          + " explains each check.",
      "Needs no broker. Ends with 11 where a check fails."
    })
public final class AuditCommand implements Callable<Integer> {
  private static final int MOST_EVENTS = 1 << 19;
  private static final int SAMPLES = 10_000;

  private final AuditSubject subject;
  private final AuditEffort effort;

  @Spec
  private CommandSpec spec;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "The configuration to audit. Default: the demo's.")
  private Path config;

  @Mixin
  private SettingOptions settings;

  @Option(
      names = "--recording",
      paramLabel = "FILE",
      description =
          "Recorded events around the canaries: what sotto record has made, or JSON lines, CSV or"
              + " libsvm, also with .gz. Default: none with -c.")
  private Path recording;

  @Mixin
  private TextOptions text;

  @Option(
      names = "--demo",
      description = "Audit the demo's plan on the demo's stream, as without -c.")
  private boolean demo;

  @Option(
      names = "--candidate",
      paramLabel = "NAME",
      description = "Of a configuration with candidates: whose settings all of them have in this"
          + " audit of their joint claim. Default: the first.")
  private String candidate;

  @Option(
      names = "--canaries",
      paramLabel = "N",
      description = "How many canaries to plant. Default: 524288; with Laplace noise or blocks"
          + " 0.25/delta, at least 1000 and at most 262144.")
  private Integer canaries;

  @Option(
      names = "--samples",
      paramLabel = "DIR",
      description = "Audit nothing; write what is released about one unit to this folder, with it"
          + " and without it, for a tester of others. --canaries says in how many runs of each;"
          + " default: 10000.")
  private Path samples;

  @Option(
      names = "--confidence",
      paramLabel = "P",
      defaultValue = "0.95",
      description = "Of the lower bound. Default: ${DEFAULT-VALUE}.")
  private double confidence;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "A number from which the whole audit follows. Default: a fresh one.")
  private Long seed;

  @Option(
      names = "--json",
      description = "Print one JSON object as the last line of standard output.")
  private boolean json;

  /**
   * What a claim and the events around the canaries come from.
   *
   * @param config of the records before they are slots
   * @param plan what is claimed; of several candidates, as one release that costs as much
   */
  private record Case(
      SottoConfig config, Plan plan, BackgroundExamples background, int rounds, int candidates) {
    /** What is audited behind the window in which ranges are measured, if there is one. */
    Plan behindWindow() {
      return RangeAudit.behindWindow(plan);
    }
  }

  /** The command: audits the real learner. */
  public AuditCommand() {
    this(ProductLearner.AS_IT_IS, AuditEffort.FULL);
  }

  /** An audit of another subject, to try the audit itself. */
  AuditCommand(AuditSubject subject, AuditEffort effort) {
    this.subject = subject;
    this.effort = effort;
  }

  @Override
  public Integer call() throws IOException {
    if (demo && config != null) {
      throw new ParameterException(
          spec.commandLine(), "--demo and -c exclude each other: choose one plan");
    }
    if (config == null && (recording != null || !settings.all().isEmpty())) {
      throw new ParameterException(
          spec.commandLine(),
          "--recording and --set need -c FILE: the demo has a plan and a stream");
    }
    Case what = config == null ? demo() : configured();
    Audit.Options options = options(what);
    AuditSubject audited =
        what.candidates() == 1 ? subject : new CandidateLearners(subject, what.candidates());
    if (samples != null) {
      return write(samples(options), audited);
    }
    NeighbourAudit neighbours =
        new NeighbourAudit(what.config(), this::reload, effort.pairs(), options.seed());
    Optional<RangeAudit> ranges = what.plan()
        .ranges()
        .measuring()
        .map(window -> new RangeAudit(what.plan(), effort.samples(), options.seed()));
    Audit audit = new Audit(audited, options, effort, neighbours, ranges);
    AuditResult result;
    try (Progress progress = Progress.everywhere()) {
      result = audit.run((done, part) -> progress.at("audit", done, audit.steps(), part));
    }
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter people = json ? spec.commandLine().getErr() : out;
    people.print(TextRenderer.of(result.describe()));
    people.flush();
    if (json) {
      out.println(JsonRenderer.of(result.describe()));
      out.flush();
    }
    return (result.holds() ? ExitCode.OK : ExitCode.REFUTED).code();
  }

  private CanarySamples samples(Audit.Options options) {
    try {
      return new CanarySamples(options.plan(), options.rounds(), options.seed());
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(
          spec.commandLine(), "--samples cannot serve this plan: " + wrong.getMessage(), wrong);
    }
  }

  private int write(CanarySamples made, AuditSubject audited) throws IOException {
    int count = canaries == null ? SAMPLES : canaries;
    try (Progress progress = Progress.everywhere()) {
      Files.createDirectories(samples);
      for (boolean in : new boolean[] {true, false}) {
        AtomicInteger done = new AtomicInteger();
        double[][] drawn = made.draw(
            audited,
            in,
            count,
            run -> progress.at("audit", done.incrementAndGet(), count, in ? "with" : "without"));
        NumpyFile.write(samples.resolve(in ? "with.npy" : "without.npy"), drawn);
      }
      String json = JsonRenderer.of(made.describe(count));
      Files.writeString(samples.resolve("samples.json"), json + "\n");
      PrintWriter out = spec.commandLine().getOut();
      out.println(
          this.json
              ? json
              : String.format(
                  Locale.ROOT,
                  "wrote %s, of %,d runs each, %d rounds long: with.npy has a canary, without.npy"
                      + " has none%nclaimed: epsilon %s at delta %s; a tester with error 0.05"
                      + " refutes a delta of %.3f or more",
                  samples,
                  count,
                  made.rounds(),
                  GuaranteeFigures.up(made.claimed().epsilon(), 6),
                  GuaranteeFigures.upShort(made.claimed().delta(), 3),
                  made.refutable(count, 0.05)));
      out.flush();
    } catch (FileAlreadyExistsException | AccessDeniedException unusable) {
      throw new SottoException(
          FailureKind.USAGE,
          "--samples must be a folder that can be written, but was " + samples,
          unusable);
    }
    return ExitCode.OK.code();
  }

  private Audit.Options options(Case what) {
    try {
      return new Audit.Options(
          what.behindWindow(),
          what.background(),
          what.rounds(),
          canaries == null ? Audit.worthwhileCanaries(what.behindWindow()) : canaries,
          confidence,
          seed == null ? new SecureRandom().nextLong() >>> 16 : seed);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    }
  }

  /** The plan that {@code sotto demo} runs with its own defaults. */
  private static Case demo() throws IOException {
    Path home = Path.of(System.getProperty("sotto.home", "."));
    DemoPlan.Options chosen = new DemoPlan.Options(
        Optimizers.named(demoDefault("--algorithm")).orElseThrow(),
        Mechanisms.named(demoDefault("--mechanism")).orElseThrow(),
        new Budget(
            Double.parseDouble(demoDefault("--epsilon")),
            Double.parseDouble(demoDefault("--delta"))),
        PrivacyUnit.named(demoDefault("--unit")).orElseThrow());
    DemoCase demo = DemoCase.of(home, chosen);
    List<BackgroundExamples.Event> events = demo.events().stream()
        .map(each -> new BackgroundExamples.Event(each.key(), each.value()))
        .toList();
    BackgroundExamples background = BackgroundExamples.of(events, demo.decoder(), MOST_EVENTS);
    return new Case(
        DemoPlan.config(chosen, events.size()),
        demo.plan(),
        background,
        AffordableRounds.rounds(demo.plan(), events.size()),
        1);
  }

  private static String demoDefault(String option) {
    return CommandSpec.forAnnotatedObject(new DemoCommand()).findOption(option).defaultValue();
  }

  /** No broker is asked, so none needs to be named. */
  private ConfigSource source(List<String> flags) {
    return ConfigSource.of(config)
        .withEnvironment(System.getenv())
        .withFlags(flags)
        .withEmbedded(true);
  }

  /** Secrets are those of a registry that is not asked, and of a key that is not used. */
  private SottoConfig reload(List<String> more) {
    List<String> all = Stream.concat(settings.all().stream(), more.stream()).toList();
    return ConfigWithoutKeys.load(source(all).withNoiseKey(NoiseKey.of(new byte[32])));
  }

  private Case configured() {
    SottoConfig loaded = ConfigWithoutKeys.load(source(settings.all()));
    CandidateModels candidates = loaded.learner().run().candidates();
    CandidateModels.One one = audited(candidates);
    Plan plan = CandidateLearners.claimed(one.plan());
    if (!plan.objective().hasWeightPerInput()) {
      throw new SottoException(
          FailureKind.USAGE,
          "the audit cannot serve loss " + plan.lossName()
              + ": its canaries need a weight each to themselves, which a loss of several scores"
              + " or hidden units does not give; audit the same settings with a loss of one score,"
              + " whose clipping and noise are the same");
    }
    if (!ReleaseSchedule.serves(plan)) {
      throw new SottoException(
          FailureKind.USAGE,
          "the audit cannot serve algorithm " + plan.algorithm()
              + ": it knows " + QueryMechanism.AUDITED + ", but not "
              + plan.mechanism().name());
    }
    BackgroundExamples background = BackgroundExamples.EMPTY;
    if (recording != null) {
      background = background(
          loaded,
          loaded
              .learner()
              .events()
              .decoders()
              .get(candidates.all().indexOf(one))
              .get());
    }
    return new Case(
        loaded,
        plan,
        background,
        AffordableRounds.rounds(RangeAudit.behindWindow(plan), background.size()),
        candidates.number());
  }

  private BackgroundExamples background(SottoConfig loaded, EventDecoder decoder) {
    BackgroundExamples background = BackgroundExamples.of(
        BackgroundFile.read(
            recording, text.recording().with(loaded.learner().encryption()), MOST_EVENTS),
        decoder,
        MOST_EVENTS);
    if (background.usable() == 0) {
      throw new RecordingException("none of the "
          + FigureFormat.counted(background.size(), "event") + " of --recording " + recording
          + " can be used under " + config + ", so the audit would be one without them; sotto"
          + " replay says why");
    }
    return background;
  }

  /** The candidate whose settings are audited, beside as many of the same. */
  private CandidateModels.One audited(CandidateModels candidates) {
    return candidates.all().stream()
        .filter(each -> candidate == null || each.name().equals(candidate))
        .findFirst()
        .orElseThrow(() -> new ParameterException(
            spec.commandLine(),
            candidates.number() == 1
                ? "--candidate means nothing here: the configuration has no candidates"
                : "--candidate must be one of " + candidates.names() + ", but was " + candidate));
  }
}
