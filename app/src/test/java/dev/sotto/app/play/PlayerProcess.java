package dev.sotto.app.play;

import dev.sotto.app.command.ExitCode;
import dev.sotto.replay.play.PlayProgress;
import dev.sotto.replay.play.PlaySettings;
import dev.sotto.replay.play.PlaybackRate;
import dev.sotto.replay.play.Player;
import dev.sotto.replay.recording.Recording;
import dev.sotto.topology.failure.SottoException;
import java.time.Duration;
import java.util.Map;

/**
 * Plays a made recording in a process of its own, to be killed. Arguments: brokers, topic,
 * partitions, records, and optionally {@link #HANG}.
 */
public final class PlayerProcess {
  /** The rate at which it plays: slowly enough to be killed in between. */
  static final double RATE = 1_000;

  /** Stands still in the middle of its second transaction. */
  static final String HANG = "hang";

  private static final int PER_TRANSACTION = 200;

  private PlayerProcess() {}

  static MadeRecording recording(int partitions, int records) {
    return new MadeRecording("ab".repeat(32), partitions, records, 1_000_000_000_000L, 7);
  }

  static PlaySettings settings(String servers, String topic, PlaybackRate pace) {
    return settings(servers, topic, pace, Duration.ofMillis(100));
  }

  private static PlaySettings settings(
      String servers, String topic, PlaybackRate pace, Duration longest) {
    return new PlaySettings(
        topic,
        Map.of("bootstrap.servers", servers),
        pace,
        PlaySettings.Start.PLAIN,
        false,
        new PlaySettings.Bounds(PER_TRANSACTION, 1 << 20, longest));
  }

  public static void main(String[] args) {
    Recording recording = recording(Integer.parseInt(args[2]), Integer.parseInt(args[3]));
    PlayProgress progress = PlayProgress.NONE;
    PlaybackRate rate = new PlaybackRate.Rate(RATE);
    PlaySettings settings = settings(args[0], args[1], rate);
    if (args.length > 4 && args[4].equals(HANG)) {
      HangingRecording hanging = new HangingRecording(recording, PER_TRANSACTION / 4);
      recording = hanging;
      progress = hanging;
      settings = settings(args[0], args[1], rate, Duration.ofMinutes(1)); // whole transactions
    }
    try (Player player = new Player(recording, settings, progress)) {
      player.play();
    } catch (SottoException failure) {
      System.err.println(failure.getMessage());
      Runtime.getRuntime().halt(ExitCode.of(failure).code());
    }
  }
}
