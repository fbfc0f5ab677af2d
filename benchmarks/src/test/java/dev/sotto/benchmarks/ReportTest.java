package dev.sotto.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static CaseResult result() {
    Map<String, List<MeasuredRun>> runs = new LinkedHashMap<>();
    runs.put(Report.PASS_THROUGH, List.of(run(1), run(2), run(4)));
    runs.put("direct", List.of(run(2), run(2.5), run(5)));
    return new CaseResult(BenchmarkCase.DENSE_64, 1000, 543, runs);
  }

  private static MeasuredRun run(double seconds) {
    return new MeasuredRun(1000, seconds, 2 * seconds, seconds / 2, seconds / 4);
  }

  @Test
  void comparesRunsOfOneRepetition() throws Exception {
    JsonNode json = new ObjectMapper().readTree(Report.json(true, Map.of(), List.of(result())));
    // 1/2, 2/2.5 and 4/5; the ratio of the medians would be 2/2.5 too, of the fastest 1/2.
    assertThat(json.at("/ratios/dense64/direct").doubleValue()).isCloseTo(0.8, within(1e-12));
    assertThat(json.at("/cases/dense64/direct/overPassThrough/min").doubleValue())
        .isCloseTo(0.5, within(1e-12));
    assertThat(json.at("/cases/dense64/passThrough/perSecond/median").doubleValue())
        .isEqualTo(500);
    assertThat(json.at("/cases/dense64/passThrough/perCpuSecond/max").doubleValue())
        .isEqualTo(500);
    assertThat(json.at("/cases/dense64/direct/brokerCores/median").doubleValue())
        .isEqualTo(0.25);
  }

  @Test
  void writesOneLine() throws Exception {
    assertThat(Report.json(true, Map.of(), List.of(result()))).doesNotContain("\n");
  }

  @Test
  void setsLeastAndMostInBrackets() {
    assertThat(Report.table(List.of(result())))
        .contains("| dense64 | direct | 0 (0-1) | 0.80 (0.50-0.80) |  |");
  }
}
