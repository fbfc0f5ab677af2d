package dev.sotto.evaluation.compare.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.evaluation.compare.Comparison;
import dev.sotto.evaluation.compare.MadeComparison;
import dev.sotto.evaluation.text.JsonRenderer;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonPageTest {
  private static final String HOSTILE = MadeComparison.HOSTILE;
  private static final String WINDOW = "--window-size=1300,2600";
  private static final String DARK = "--blink-settings=preferredColorScheme=0";
  private static final int PLOTTED = 2_000; // pixels

  @TempDir
  private Path folder;

  private Path write(String page) throws IOException {
    return Files.writeString(folder.resolve("compare.html"), page);
  }

  private static String page(String name) {
    return ComparisonPage.of(MadeComparison.of(name));
  }

  @Test
  void saysThatItIsNotPrivate() {
    assertThat(page("epsilon-8"))
        .contains("<title>Not private: ", "class=\"warning\"", "not noised, NOT PRIVATE");
  }

  @Test
  void showsAllFiguresWithoutAScript() {
    String text = page("epsilon-8").replaceAll("(?s)<script.*?</script>", "");
    assertThat(text)
        .contains("epsilon-8", "bounding only", "01234567…", "+0.0", "privacy.epsilon", "broken")
        .contains("could not be run (CONFIGURATION)", "As a table")
        .doesNotContain(">loss</code></th>"); // the same in all configurations
  }

  @Test
  void showsWhatIsNoMarkupOfItsOwnAsText() {
    String text = page(HOSTILE);
    assertThat(text).doesNotContain("<img", "onerror=\"", "\u202e").contains("&lt;img src=x");
    assertThat(Html.json(JsonRenderer.of(Map.of("a", HOSTILE + "\u2028"))))
        .doesNotContain("<", ">", "&", "\u2028")
        .contains("\\u003c/script\\u003e");
  }

  @Test
  void namesNothingThatABrowserWouldLoad() {
    String text = page("epsilon-8").replaceAll("(?s)<pre>.*?</pre>", "");
    assertThat(text)
        .doesNotContainPattern("(?i)<[^>]*\\s(src|href|srcset|action|data|poster)\\s*=");
    assertThat(text)
        .doesNotContainIgnoringCase("sourceMappingURL")
        .doesNotContain("@import", "url(");
    assertThat(text).contains("default-src 'none'");
  }

  /** Also our own are only allowed by their digests: another one is refused. */
  @Test
  void allowsJustTheTwoScriptsAndTheStyleInIt() {
    String text = page("epsilon-8");
    Matcher inline = Pattern.compile("(?s)<(script|style)>(.*?)</\\1>").matcher(text);
    int found = 0;
    while (inline.find()) {
      assertThat(text).contains(PageAssets.allowing(inline.group(2)));
      found++;
    }
    assertThat(found).isEqualTo(3);
    assertThat(text).doesNotContain("unsafe-", " style=");
  }

  @Test
  void drawsEveryPlotWithoutANetwork() throws Exception {
    Chromium browser = Chromium.find(folder);
    for (String name : List.of("epsilon-8", HOSTILE)) {
      String dom = browser.dom(write(page(name)));
      assertThat(dom)
          .contains("data-drawn=\"4\"")
          .doesNotContain("data-broken", "<img", "owned</title>");
    }
  }

  /**
   * What the test above looks for is not there when a script fails, or is not the one that was
   * allowed.
   */
  @Test
  void tellsWhenItCannotDraw() throws Exception {
    Chromium browser = Chromium.find(folder);
    String sound = page("epsilon-8");
    String changed = sound.replace("const colours = 8;", "const colours = 9;");
    assertThat(changed).isNotEqualTo(sound);
    assertThat(browser.dom(write(changed))).doesNotContain("data-drawn");
    String halved = sound.replaceFirst("\"runs\":", "\"rims\":");
    assertThat(halved).isNotEqualTo(sound);
    assertThat(browser.dom(write(halved)))
        .contains("data-broken=", "The plots could not be drawn")
        .doesNotContain("data-drawn=\"4\"");
  }

  /** Far more of every run's colour than the strokes beside its names; none without the script. */
  @Test
  void paintsEveryRunInLightAndDark() throws Exception {
    Chromium browser = Chromium.find(folder);
    String sound = page("epsilon-8");
    Path page = write(sound);
    Map<Integer, Integer> light = colours(browser.picture(page, WINDOW));
    for (int colour : new int[] {0x0063a6, 0xc24e00, 0x007d5c}) {
      assertThat(light.getOrDefault(colour, 0)).as("%06x", colour).isGreaterThan(PLOTTED);
    }
    Map<Integer, Integer> dark = colours(browser.picture(page, WINDOW, DARK));
    for (int colour : new int[] {0x5db4f0, 0xff9a5a, 0x3fd0a4}) {
      assertThat(dark.getOrDefault(colour, 0)).as("%06x", colour).isGreaterThan(PLOTTED);
    }
    assertThat(dark).doesNotContainKey(0xffffff);
    Path still = write(sound.replace("const colours = 8;", "const colours = 9;"));
    assertThat(colours(browser.picture(still, WINDOW)).getOrDefault(0x0063a6, 0))
        .isLessThan(PLOTTED);
  }

  private static Map<Integer, Integer> colours(Path picture) throws IOException {
    BufferedImage image = ImageIO.read(picture.toFile());
    Map<Integer, Integer> found = new HashMap<>();
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        found.merge(image.getRGB(x, y) & 0xffffff, 1, Integer::sum);
      }
    }
    return found;
  }

  @Test
  void standsForAComparisonOfWhichNothingCouldBeRun() throws Exception {
    Comparison made = MadeComparison.of("epsilon-8");
    Comparison nothing = new Comparison(
        made.recording(),
        1,
        10,
        made.configurations().subList(3, 4),
        made.runs().subList(3, 4));
    String page = ComparisonPage.of(nothing);
    assertThat(page).contains("could not be run", "the first 10 records").doesNotContain("<figure");
    assertThat(Chromium.find(folder).dom(write(page)))
        .contains("data-drawn=\"0\"")
        .doesNotContain("data-broken");
  }
}
