package dev.sotto.app.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.app.scoring.ModelSource;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportedModelReaderTest {
  private static final double[] WEIGHTS = {-0.5, 2, Double.MIN_VALUE, 1.0 / 3};

  @TempDir
  Path folder;

  private static PublishedModel model(double limit) {
    Guarantee guarantee =
        new Guarantee(PrivacyUnit.KEY, Adjacency.ZERO_OUT, "blt", 0.25, 1, 1e-6, limit, limit);
    return new PublishedModel(
        new ModelSnapshot(
            "m",
            new byte[16],
            0,
            7,
            WEIGHTS.length,
            1,
            ModelSnapshot.digest(WEIGHTS, guarantee),
            "feature-map 1\nbias true\nnorm scale\n"
                + "numeric x \"x\" -1 1 identity required\n"
                + "numeric y \"y\" -1 1 identity required\n"
                + "numeric z \"z\" -1 1 identity required\nlabel \"l\" as-it-is\n",
            "logistic",
            "private-ftrl",
            false,
            guarantee,
            new byte[32],
            List.of(),
            new byte[32]),
        WEIGHTS);
  }

  @Test
  void givesBackWhatWasWritten() throws IOException {
    Path file = folder.resolve("m.json");
    for (double limit : new double[] {1.5, Double.POSITIVE_INFINITY}) {
      PublishedModel model = model(limit);
      ExportedModel.write(model, file);
      assertThat(ExportedModelReader.mayBe(file)).isTrue();
      PublishedModel read = ExportedModelReader.open(file).model();
      assertThat(read.weights()).isEqualTo(WEIGHTS);
      assertThat(read.manifest().guarantee()).isEqualTo(model.manifest().guarantee());
      assertThat(read.manifest().features()).isEqualTo(model.manifest().features());
      assertThat(ModelSource.file(file).model().version()).isEqualTo(7);
    }
  }

  @Test
  void refusesWhatIsNotWhole() throws IOException {
    Path file = folder.resolve("m.json");
    ExportedModel.write(model(1.5), file);
    String whole = Files.readString(file);
    refused(file, whole.replace("-0.5", "-0.25"), "not those of its digest");
    refused(file, whole.replace("\"epsilon\":1.0", "\"epsilon\":0.5"), "not those of its digest");
    refused(file, whole.replace("sotto-model 1", "sotto-model 2"), "format must be sotto-model 1");
    refused(file, whole.replace("\"loss\"", "\"lost\""), "it lacks loss");
    refused(file, whole.substring(0, whole.length() / 2), "is no exported model, or is cut off");
    assertThatThrownBy(() -> ModelSource.file(file))
        .hasMessageNotContainingAny("\n", "REDACTED", "StreamReadFeature");
  }

  private static void refused(Path file, String text, String message) throws IOException {
    Files.writeString(file, text);
    assertThatThrownBy(() -> ModelSource.file(file))
        .isInstanceOf(SottoException.class)
        .hasMessageContaining(message);
  }
}
