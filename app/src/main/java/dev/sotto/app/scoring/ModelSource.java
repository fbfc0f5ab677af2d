package dev.sotto.app.scoring;

import dev.sotto.app.predict.ExportedModelReader;
import dev.sotto.app.predict.ReplayOrigin;
import dev.sotto.client.LiveModel;
import dev.sotto.client.ModelChoice;
import dev.sotto.client.ModelHealth;
import dev.sotto.client.ModelListener;
import dev.sotto.client.ModelUnavailableException;
import dev.sotto.client.ScoringModel;
import dev.sotto.serdes.record.StartingModel;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.start.ModelFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One version of a model, from a file or from the topics, for those who do not follow it. */
public final class ModelSource {
  private static final long SECONDS = 60;

  private ModelSource() {}

  /**
   * A version from a file.
   *
   * @param origin the replay that it was learned in; empty for a published version
   */
  public record FileModel(ScoringModel model, Optional<ReplayOrigin> origin) {
    /** What its guarantee does not cover, one sentence each. */
    public List<String> notes() {
      return origin.map(ReplayOrigin::notes).orElse(List.of());
    }
  }

  /**
   * The version in a model file, or in an exported one.
   *
   * @throws SottoException where there is none, or it cannot be used
   */
  public static FileModel file(Path file) {
    PublishedModel model;
    Optional<ReplayOrigin> origin = Optional.empty();
    if (ExportedModelReader.mayBe(file)) {
      ExportedModelReader read = ExportedModelReader.open(file);
      model = read.model();
      origin = read.origin();
    } else {
      StartingModel read = ModelFiles.read(file);
      model = new PublishedModel(read.manifest(), read.weights());
    }
    try {
      return new FileModel(ScoringModel.of(model), origin);
    } catch (IllegalArgumentException future) {
      throw new SottoException(FailureKind.UNVERIFIED, file + ": " + future.getMessage(), future);
    }
  }

  /**
   * The version that is chosen now.
   *
   * @param wait for a first one, where there is none
   * @throws SottoException where there is none, or it cannot be used
   */
  public static ScoringModel published(
      Map<String, String> clients, String app, ModelChoice choice, Duration wait)
      throws InterruptedException {
    CountDownLatch answered = new CountDownLatch(1);
    ModelListener listener = new ModelListener() {
      @Override
      public void health(ModelHealth health) {
        answered.countDown();
      }
    };
    try (LiveModel live =
        LiveModel.open(clients, app, options -> options.with(choice).withListener(listener))) {
      if (!answered.await(SECONDS, TimeUnit.SECONDS)) {
        throw new SottoException(
            FailureKind.UNREACHABLE,
            "no broker answered at " + clients.get("bootstrap.servers") + " within " + SECONDS
                + " seconds; check --bootstrap-server and the network");
      }
      try {
        return live.await(wait);
      } catch (ModelUnavailableException none) {
        throw missing(live.health());
      }
    }
  }

  private static SottoException missing(ModelHealth health) {
    FailureKind kind = health.state() == ModelHealth.State.UNREACHABLE
        ? FailureKind.UNREACHABLE
        : FailureKind.UNVERIFIED;
    return new SottoException(kind, health.text());
  }
}
