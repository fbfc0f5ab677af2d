package dev.sotto.app.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.replay.recorder.RecordResult;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.replay.recording.RecordingOrigin;
import dev.sotto.replay.verify.FieldDifference;
import dev.sotto.replay.verify.FirstDifference;
import dev.sotto.replay.verify.ModelOutcome;
import dev.sotto.replay.verify.VerificationResult;
import dev.sotto.replay.verify.VerificationResult.Outcome;
import dev.sotto.replay.verify.WeightsDifference;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.serdes.snapshot.PublishedModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The JSON that commands print keeps its fields and their order; {@code -Dgolden.update=true}
 * writes the files anew.
 */
class RecordDescriptionsTest {
  private static byte[] bytes(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static Guarantee guarantee() {
    return new Guarantee(
        PrivacyUnit.KEY, Adjacency.ZERO_OUT, "blt", 0.25, 1, 1e-6, 0.5, Double.POSITIVE_INFINITY);
  }

  private static LedgerEntry entry(double metricsRatio) {
    return new LedgerEntry(
        3,
        bytes(32, 1),
        "late",
        bytes(16, 0xab),
        1,
        4,
        7,
        "private-ftrl",
        1,
        2,
        8,
        Double.POSITIVE_INFINITY,
        guarantee(),
        4,
        3.5,
        true,
        700,
        5,
        List.of(new OffsetRange(0, 5, 9), new OffsetRange(1, 0, 3)),
        bytes(32, 2),
        bytes(32, 3),
        "key",
        2,
        new LedgerEntry.Terms("omega=1", "once", "none", metricsRatio, "gaussian-dp", 0.5, 64, 0));
  }

  private static PublishedModel model(String loss) {
    ModelSnapshot manifest = new ModelSnapshot(
        "late",
        bytes(16, 1),
        0,
        7,
        3,
        1,
        bytes(32, 2),
        "x",
        loss,
        "private-ftrl",
        false,
        guarantee(),
        bytes(32, 3),
        List.of(new OffsetRange(0, 5, 9)),
        bytes(32, 4));
    return new PublishedModel(manifest, new double[] {0.5, -0.0, 1e-9});
  }

  private static void requireSame(String name, Object... shown) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Object each : shown) {
      text.append(JsonRenderer.of(each)).append('\n');
    }
    Path file =
        Path.of(System.getProperty("basedir", "."), "src/test/resources/json", name + ".jsonl");
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(file, text);
    }
    assertThat(text.toString()).isEqualTo(Files.readString(file));
  }

  @Test
  void keepsLedgerEntries() throws IOException {
    requireSame(
        "ledger",
        RecordDescriptions.entry(entry(0.5)),
        RecordDescriptions.entry(entry(Double.POSITIVE_INFINITY)),
        RecordDescriptions.terms(entry(0).terms()));
  }

  @Test
  void keepsSnapshots() throws IOException {
    requireSame(
        "snapshot",
        RecordDescriptions.model(model("logistic")),
        RecordDescriptions.manifest(model("softmax(3)").manifest()),
        RecordDescriptions.manifest(model("a-loss-of-ones-own").manifest()));
  }

  @Test
  void keepsMetrics() throws IOException {
    double[] sums = {30, 80, 20, 40, 10, -15, -35};
    requireSame(
        "metrics",
        RecordDescriptions.metrics(new ModelMetrics(
            "late", bytes(16, 1), new NoisyMetrics(1, 4, 128, 2, sums, 3), bytes(32, 9))));
  }

  @Test
  void keepsRecordings() throws IOException {
    RecordingHeader header = new RecordingHeader(
        "avro",
        new RecordingOrigin("cluster", "events", "id"),
        List.of(new RecordedRange(0, 2, 9, 5), new RecordedRange(1, 0, -1, -1)),
        "",
        "digest");
    requireSame(
        "recording",
        RecordingText.header(InMemoryRecording.of("events").partition(0, 0).build()),
        RecordingText.recorded(
            Path.of("events.sotto"), new RecordResult(header, 4, true, 123, List.of("careful"))));
  }

  @Test
  void keepsVerifications() throws IOException {
    FieldDifference field = new FieldDifference("sigma", "1.0", "");
    ModelOutcome equal = new ModelOutcome(
        "on-time",
        new ModelOutcome.Rounds(3, 3, 1),
        new ModelOutcome.Versions(3, 2),
        1,
        Optional.empty(),
        "");
    requireSame(
        "verification",
        VerificationDescription.of(
            new VerificationResult(Outcome.EQUAL, "", List.of(equal), 1000, 0.5)),
        VerificationDescription.of(new VerificationResult(
            Outcome.DIFFERENT,
            "",
            List.of(
                differing(
                    field,
                    new WeightsDifference(
                        2, 1, 0.5, 0.25, 1, new WeightsDifference.Dimensions(3, 3))),
                differing(
                    field,
                    new WeightsDifference(2, -1, 0, 0, 0, new WeightsDifference.Dimensions(3, 4))),
                differing(field, null)),
            1000,
            0.5)));
  }

  private static ModelOutcome differing(FieldDifference field, WeightsDifference weights) {
    FirstDifference difference =
        new FirstDifference(2, "ledger", List.of(field), Optional.ofNullable(weights));
    return new ModelOutcome(
        "late",
        new ModelOutcome.Rounds(3, 1, 0),
        new ModelOutcome.Versions(1, 1),
        0,
        Optional.of(difference),
        "");
  }
}
