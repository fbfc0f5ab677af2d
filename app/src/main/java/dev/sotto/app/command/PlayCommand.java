package dev.sotto.app.command;

import dev.sotto.app.view.InsideWarning;
import dev.sotto.app.view.Progress;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.description.FigureFormat;
import dev.sotto.replay.play.PlayProgress;
import dev.sotto.replay.play.PlayResult;
import dev.sotto.replay.play.PlaySettings;
import dev.sotto.replay.play.PlaybackRate;
import dev.sotto.replay.play.Player;
import dev.sotto.replay.recording.Recording;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Plays a recording into a topic. */
@Command(
    name = "play",
    description = {
      "Play a recording into a topic: original partitions, keys, values, headers and timestamps,"
          + " every record exactly once. A text file is spread over the topic's partitions: by"
          + " --key-field, otherwise in turns.",
      "The same command goes on where it was stopped or killed. Offsets in the topic are not"
          + " those of the recording.",
      "A learner that reads the same events from a second topic pays for them a second time.",
      "What is printed is for inside the trust boundary: a digest or a number of records can"
          + " confirm a guess of one."
    })
public final class PlayCommand implements Callable<Integer> {
  private static final long STOP_SECONDS = 10;

  @Spec
  private CommandSpec spec;

  @Mixin
  private RecordingInput input;

  @Mixin
  private SourceOptions source;

  @Option(
      names = "--topic",
      required = true,
      paramLabel = "TOPIC",
      description = "The topic to play into.")
  private String topic;

  @Option(
      names = "--speed",
      paramLabel = "FACTOR",
      description = "By the records' own times: 1 is the original speed, 60 an hour in a minute.")
  private Double speed;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "N records a second. Without --speed and --rate: as fast as the cluster takes them.")
  private Double rate;

  @Option(
      names = "--create",
      description =
          "Create the topic if it is missing, with as many partitions; it keeps recorded times,"
              + " and deletes nothing for its age.")
  private boolean create;

  @Option(
      names = "--append",
      description = "Play after records that the topic holds from elsewhere.")
  private boolean append;

  @Option(
      names = "--restart",
      description = "Play from the first record on, although the topic has some or all of them.")
  private boolean restart;

  @Option(
      names = "--arrival-times",
      description = "Give records the time of their arrival instead of their own.")
  private boolean arrivalTimes;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    PlaybackRate pace = pace();
    Optional<SottoConfig> config = source.config();
    PlaySettings settings = new PlaySettings(
        topic,
        source.clients(config),
        pace,
        new PlaySettings.Start(create, append, restart),
        arrivalTimes,
        PlaySettings.Bounds.USUAL);
    CountDownLatch ended = new CountDownLatch(1);
    AtomicReference<Player> playing = new AtomicReference<>();
    StopHook hook = new StopHook(() -> stop(playing.get(), ended));
    try {
      PlayResult result;
      Optional<String> spread;
      try (Recording recording = open(config);
          Progress progress = Progress.onTerminal();
          Player player = new Player(recording, settings, new Shown(progress))) {
        if (input.isSpread(recording.header())) {
          player.spreading();
        }
        playing.set(player);
        result = player.play();
        spread = player.spread();
        RecordingInput.tell(recording, spec.commandLine().getErr());
      }
      print(result, spread); // before the process may go: it says how to go on
    } finally {
      ended.countDown();
      hook.close();
    }
    return ExitCode.OK.code();
  }

  /** A signal ends it behind the record that is being sent, with everything committed. */
  private static void stop(Player player, CountDownLatch ended) {
    if (player == null) {
      return;
    }
    player.stop();
    try {
      ended.await(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }

  private Recording open(Optional<SottoConfig> config) {
    return input.open(source.encryption(config));
  }

  private PlaybackRate pace() {
    if (speed != null && rate != null) {
      throw new ParameterException(
          spec.commandLine(), "--speed and --rate exclude each other; give one of them");
    }
    try {
      return speed != null
          ? new PlaybackRate.Speed(speed)
          : rate != null ? new PlaybackRate.Rate(rate) : new PlaybackRate.Fastest();
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    }
  }

  private void print(PlayResult result, Optional<String> spread) {
    InsideWarning.print(spec, json, InsideWarning.OF_RECORDINGS);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Map<String, Object> whole = new LinkedHashMap<>();
      whole.put("topic", topic);
      whole.put("recordingDigest", result.digest().isEmpty() ? null : result.digest());
      whole.put("records", result.records());
      whole.put("before", result.before());
      whole.put("played", result.played());
      whole.put("transactions", result.transactions());
      whole.put("seconds", result.seconds());
      whole.put("recordsPerSecond", result.played() / result.seconds());
      whole.put("complete", result.complete());
      whole.put("spread", spread.orElse(null));
      out.println(JsonRenderer.of(whole));
    } else {
      out.println(String.format(
          Locale.ROOT,
          "%s %,d records into %s in %s and %.1f s%s",
          result.complete() ? "played" : "stopped: played",
          result.played(),
          topic,
          FigureFormat.counted(result.transactions(), "transaction"),
          result.seconds(),
          result.before() == 0
              ? ""
              : String.format(Locale.ROOT, "; %,d were there before", result.before())));
      out.println(String.format(
          Locale.ROOT,
          "%s%,d of %,d records of the recording are in the topic",
          result.complete() ? "all " : "",
          result.before() + result.played(),
          result.records()));
      spread.ifPresent(out::println);
    }
    out.flush();
  }

  /** A bar for the check and one for the play. */
  private record Shown(Progress progress) implements PlayProgress {
    @Override
    public void checked(long done, long most) {
      progress.at("checking", done, most, "records");
    }

    @Override
    public void played(long done, long most, long waitMillis) {
      progress.at(
          "playing",
          done,
          most,
          waitMillis < 1000
              ? "records"
              : String.format(Locale.ROOT, "records; the next one in %,d s", waitMillis / 1000));
    }
  }
}
