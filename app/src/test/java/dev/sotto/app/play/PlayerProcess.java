package dev.sotto.app.play;

import dev.sotto.app.command.ExitCode;
import dev.sotto.replay.play.PlayProgress;
import dev.sotto.replay.play.PlaySettings;
import dev.sotto.replay.play.PlaybackRate;
import dev.sotto.replay.play.Player;
import dev.sotto.topology.failure.SottoException;
import java.time.Duration;
import java.util.Map;

/**
 * Plays a made recording in a process of its own, to be killed. Arguments: brokers, topic,
 * partitions, records.
 */
public final class PlayerProcess {
  /** The rate at which it plays: slowly enough to be killed in between. */
  static final double RATE = 4_000;

  private PlayerProcess() {}

  static MadeRecording recording(int partitions, int records) {
    return new MadeRecording("ab".repeat(32), partitions, records, 1_000_000_000_000L, 7);
  }

  static PlaySettings settings(String servers, String topic, PlaybackRate pace) {
    return new PlaySettings(
        topic,
        Map.of("bootstrap.servers", servers),
        pace,
        PlaySettings.Start.PLAIN,
        false,
        new PlaySettings.Bounds(200, 1 << 20, Duration.ofMillis(100)));
  }

  public static void main(String[] args) {
    MadeRecording recording = recording(Integer.parseInt(args[2]), Integer.parseInt(args[3]));
    PlaySettings settings = settings(args[0], args[1], new PlaybackRate.Rate(RATE));
    try (Player player = new Player(recording, settings, PlayProgress.NONE)) {
      player.play();
    } catch (SottoException failure) {
      System.err.println(failure.getMessage());
      Runtime.getRuntime().halt(ExitCode.of(failure).code());
    }
  }
}
