package dev.sotto.benchmarks.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.learner.optimizer.EuclideanBall;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class RealSetTest {
  private static Path folder() {
    assumeTrue(
        ExperimentFolders.data().isPresent(),
        "skipped: the recorded data (shared/data) are not on this machine");
    return ExperimentFolders.data().orElseThrow();
  }

  private static JsonNode reference(Path folder, String file) throws IOException {
    return new ObjectMapper()
        .readTree(folder.resolve("reference.json").toFile())
        .get(file);
  }

  private static void agrees(RealSet set, JsonNode check) {
    assertThat(set.count()).isEqualTo(check.get("n").asInt());
    assertThat(set.dimension()).isEqualTo(check.get("d").asInt());
    assertThat(set.entries()).isEqualTo(check.get("nnz").asInt());
    assertThat(set.sum()).isCloseTo(check.get("sum_x").asDouble(), within(1e-3));
    assertThat(set.labelSum()).isCloseTo(check.get("sum_y").asDouble(), within(1e-3));
  }

  /**
   * Also that the references which the experiment computes are those which were measured elsewhere.
   */
  @Test
  void encodesTheCensusAsTheReferenceDoes() throws IOException {
    Path folder = folder();
    RealSet set = RealSet.a9a(folder);
    JsonNode reference = reference(folder, "a9a.libsvm.gz");
    agrees(set, reference.get("check"));
    BinaryScores sgd = Optimum.onePass(set, reference.get("sgd").get("rate").asDouble());
    assertThat(sgd.logLoss())
        .isCloseTo(reference.get("sgd").get("logloss").asDouble(), within(5e-5));
    assertThat(sgd.accuracy()).isCloseTo(reference.get("sgd").get("acc").asDouble(), within(5e-5));
    assertThat(sgd.auc()).isCloseTo(reference.get("sgd").get("auc").asDouble(), within(5e-5));
    double[] optimum = Optimum.inBall(set, 5, 1e-5);
    new EuclideanBall(null, 5).project(optimum); // so the comparison is of points in the ball
    double reached = reference.get("offline").get("loss_ball_5").asDouble();
    assertThat(BinaryScores.of(set, optimum).logLoss()).isBetween(reached - 3e-5, reached + 1e-5);
  }

  @Test
  void encodesTheForestAsTheReferenceDoes() throws IOException {
    Path folder = folder();
    agrees(RealSet.covtype(folder), reference(folder, "covtype_15k.csv.gz").get("check"));
    assertThat(RealData.Task.COVTYPE.load(folder).labelSum()).isEqualTo(2160);
  }

  @Test
  void encodesTheFlightsAsTheReferenceDoes() throws IOException {
    Path folder = folder();
    JsonNode reference = reference(folder, "hflights_by_tail.jsonl.gz").get("B");
    agrees(RealSet.flights(folder), reference.get("check"));
  }

  @Test
  void scalesCutsAndLeavesOut() throws IOException {
    JsonNode features = new ObjectMapper().readTree("""
        [{"name": "age", "type": "numeric", "lo": 0, "hi": 10},
         {"name": "pay", "type": "numeric", "lo": 0, "hi": 3, "transform": "log1p"},
         {"name": "kind", "type": "categorical", "values": ["a", 2]}]""");
    Encoder encoder = new Encoder(features);
    assertThat(encoder.dimension()).isEqualTo(5);
    assertThat(encoder.encode(Map.of("age", "7.5", "pay", "1", "kind", "2")::get))
        .containsExactly(
            new double[] {1 / Math.sqrt(2.25), 0.5 / Math.sqrt(2.25), 0, 0, 1 / Math.sqrt(2.25)},
            within(1e-12));
    assertThat(encoder.encode(Map.of("age", "99", "pay", "-5", "kind", "b")::get))
        .containsExactly(
            new double[] {1 / Math.sqrt(3), 1 / Math.sqrt(3), -1 / Math.sqrt(3), 0, 0},
            within(1e-12));
    assertThat(encoder.encode(Map.of("age", "", "kind", "")::get)).containsExactly(1, 0, 0, 0, 0);
  }

  @Test
  void countsTiesAsHalfInTheAreaUnderTheCurve() {
    BinaryScores scores = new BinaryScores(5);
    scores.add(1, 1);
    scores.add(-1, 0);
    scores.add(1, 0);
    scores.add(2, 1);
    scores.add(-2, 1);
    assertThat(scores.auc()).isEqualTo((1.5 + 2 + 0) / 6);
    assertThat(scores.accuracy()).isEqualTo(0.6);
  }
}
