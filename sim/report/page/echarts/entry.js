// SPDX-License-Identifier: MIT
// What the report uses of Apache ECharts; everything else stays out of the bundle (README.md says how it is built).
import * as core from "echarts/core";
import { BarChart, HeatmapChart, LineChart } from "echarts/charts";
import { AriaComponent, GridComponent, LegendComponent, MarkLineComponent, TooltipComponent, VisualMapComponent } from "echarts/components";
import { SVGRenderer } from "echarts/renderers";

core.use([BarChart, HeatmapChart, LineChart, AriaComponent, GridComponent, LegendComponent, MarkLineComponent, TooltipComponent,
  VisualMapComponent, SVGRenderer]);

export const init = core.init;
