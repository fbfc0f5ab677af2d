package org.example.lateness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sotto.client.ScoringModel;
import dev.sotto.testkit.LearnerTestKit;
import dev.sotto.testkit.LearningResult;
import dev.sotto.testkit.ModelVersion;
import dev.sotto.testkit.TestInput;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Scores with models that the test kit learns as a learner would, without a broker. */
class LatenessScorerTest {
  private static final String EVENT = "{\"km\":40}";

  private static final LearningResult LEARNED = LearnerTestKit.ofText("""
      app.id: lateness
      bootstrap.servers: localhost:9092
      events.topic: deliveries
      features.numeric.km: {field: km, min: 0, max: 50}
      label.field: late
      loss: logistic
      batch.size: 2
      release.every.slots: 2
      privacy.epsilon: 2
      privacy.delta: 1e-6
      noise.key.file: not-needed-in-tests
      """)
      .learn(TestInput.of("{\"km\":40,\"late\":1}", "{\"km\":5,\"late\":0}").repeated(2));

  private static ScoringModel model(ModelVersion version) {
    return ScoringModel.of(version.published());
  }

  @Test
  void scoresWithTheNewestVersion() {
    List<ModelVersion> versions = LEARNED.versions();
    assertEquals(2, versions.size());
    AtomicReference<ScoringModel> newest = new AtomicReference<>(model(versions.get(0)));
    LatenessScorer scorer = new LatenessScorer(newest::get);
    String before = scorer.score(EVENT);
    newest.set(model(versions.get(1)));
    assertEquals("version 1: ", before.substring(0, 11));
    assertEquals(
        "version 2: " + LEARNED.predict("{\"km\":40,\"late\":0}"), scorer.score(EVENT));
  }

  @Test
  void saysWhyItPredictsNothing() {
    LatenessScorer scorer = new LatenessScorer(() -> model(LEARNED.newestVersion()));
    assertEquals(
        "version 2: none, since a required field is missing", scorer.score("{\"miles\":40}"));
  }
}
